import { type ScreenName, screens } from './screens.ts'

type Screens = typeof screens
type Paths = { home: '/' } & { [Page in FrontPage]: `/${Page}` } & {
  [Name in ScreenName]: Screens[Name]['path']
}

/**
 * The pages for visitors. The build makes each as HTML, for each language (/de/pricing) and each way
 * to pay.
 */
export const frontPages = ['welcome', 'pricing'] as const
export type FrontPage = (typeof frontPages)[number]

/** The path of every screen and page. The app redirects from `home` to the dashboard. */
export const paths = {
  home: '/',
  ...Object.fromEntries(frontPages.map((page) => [page, `/${page}`])),
  ...Object.fromEntries(Object.entries(screens).map(([name, { path }]) => [name, path])),
} as Paths

/** The names of the screens inside one project. */
export type ProjectPathName = {
  [Name in ScreenName]: Paths[Name] extends `/subscription/:id${string}` ? Name : never
}[ScreenName]

export function projectPath(name: ProjectPathName, id: string) {
  return paths[name].replace(':id', encodeURIComponent(id))
}
