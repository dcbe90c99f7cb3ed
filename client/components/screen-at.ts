import { screenEntries } from '#contract/screens.ts'
import { matchPath } from 'react-router'

/** The row of the screen at a path. */
export function screenAt(pathname: string) {
  return screenEntries.find(([, { path }]) => matchPath(path, pathname))?.[1]
}
