import manifest from '../../package.json' with { type: 'json' }

/** The version of this product. */
export const { version } = manifest
