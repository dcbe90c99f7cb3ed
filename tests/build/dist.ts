/** The folder of the web app that is built with the tests' own configuration. */
export const dist = new URL('../../.cache/test-client/', import.meta.url)
