import { paths } from '#contract/paths.ts'

const parameter = 'next'

/** Adds to `path` the place that the visitor wanted, where the screen then leads. */
export function withReturn(path: string, wanted: string) {
  return wanted === paths.dashboard
    ? path
    : `${path}?${new URLSearchParams({ [parameter]: wanted })}`
}

/** The place in this app that the visitor wanted, read from the query, or else `usual`. */
export function returnPath(search: string, usual: string = paths.dashboard) {
  const wanted = new URLSearchParams(search).get(parameter)
  return wanted !== null && isOurs(wanted) ? wanted : usual
}

/** Refuses `//elsewhere` and its disguises, which lead to another server. */
function isOurs(path: string) {
  return (
    /^\/(?![/\\])/.test(path) &&
    URL.canParse(path, location.origin) &&
    new URL(path, location.origin).origin === location.origin
  )
}
