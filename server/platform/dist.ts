/** The folder of the built web app. For browser tests, `imports` in package.json names another. */
export const dist = new URL('../../dist/client/', import.meta.url)
