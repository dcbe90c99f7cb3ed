import { paths } from '#contract/paths.ts'

const parameter = 'next'

/** The path of a screen that leads on to where the visitor wanted to go when it is done. */
export function withReturn(path: string, wanted: string) {
  return wanted === paths.dashboard
    ? path
    : `${path}?${new URLSearchParams({ [parameter]: wanted })}`
}

/** Where the visitor wanted to go, if that is a place in this app; else where they usually go. */
export function returnPath(search: string, usual: string = paths.dashboard) {
  const wanted = new URLSearchParams(search).get(parameter)
  return wanted !== null && isOurs(wanted) ? wanted : usual
}

/** `//elsewhere` and its disguises lead to another server. */
function isOurs(path: string) {
  return (
    /^\/(?![/\\])/.test(path) &&
    URL.canParse(path, location.origin) &&
    new URL(path, location.origin).origin === location.origin
  )
}
