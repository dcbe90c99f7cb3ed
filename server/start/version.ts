import packageJson from '../../package.json' with { type: 'json' }

/** The version of this code, from package.json. */
export const version = packageJson.version
