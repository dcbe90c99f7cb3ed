import manifest from '../../package.json' with { type: 'json' }

/** Git's name of the commit; a build puts it here where it knows it. */
declare const COMMIT: string | undefined

/** The version of this product. */
export const { version } = manifest

/** The version with its commit, to find the source again. */
export const build = typeof COMMIT === 'undefined' ? version : `${version} (commit ${COMMIT})`
