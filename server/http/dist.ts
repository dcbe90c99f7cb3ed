/** Where the build puts the web app. Journeys serve another one: see `imports` in package.json. */
export const dist = new URL('../../dist/client/', import.meta.url)
