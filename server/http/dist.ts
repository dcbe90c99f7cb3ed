/**
 * The folder of the built web app. The browser tests use another one: see `imports` in
 * package.json.
 */
export const dist = new URL('../../dist/client/', import.meta.url)
