import { type ScreenName, screens } from './screens.ts'

type Screens = typeof screens
type Paths = { home: '/' } & { [Name in ScreenName]: Screens[Name]['path'] }

/** The path of every screen. The app redirects from `home` to the dashboard. */
export const paths = {
  home: '/',
  ...Object.fromEntries(Object.entries(screens).map(([name, { path }]) => [name, path])),
} as Paths

/** The names of the screens inside one project. */
export type ProjectPathName = {
  [Name in ScreenName]: Paths[Name] extends `/subscription/:id${string}` ? Name : never
}[ScreenName]

export function projectPath(name: ProjectPathName, id: string) {
  return paths[name].replace(':id', encodeURIComponent(id))
}
