/** The folder of the web app that is built with the configuration of tests/selling/. */
export const dist = new URL('../../.cache/selling-client/', import.meta.url)
