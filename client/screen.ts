import { lazy, type ComponentType } from 'react'
import { matchPath } from 'react-router'

type Load = () => Promise<ComponentType>

/** A browser takes a chunk that could not be fetched for broken until the page is reloaded: the lost connection is waited for. */
let connection = Promise.resolve()
addEventListener('offline', () => {
  connection = new Promise((resolve) => addEventListener('online', () => resolve(), { once: true }))
})

const loads: { path: string; load: Load }[] = []

/** A screen or a layout in a chunk of its own. With a path (`/*` for everything below), it is fetched as soon as the page opens there. */
export function screen(path: string, load: Load) {
  loads.push({ path, load })
  return lazy(async () => {
    await connection
    return { default: await load() }
  })
}

export function preloadScreen(pathname: string) {
  for (const { path, load } of loads) if (matchPath(path, pathname)) void load().catch(() => undefined)
}
