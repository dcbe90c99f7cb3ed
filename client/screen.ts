import { lazy, type ComponentType } from 'react'
import { matchPath } from 'react-router'

type Load = () => Promise<ComponentType>

const loads: { path: string; load: Load }[] = []

/** A screen or a layout in a chunk of its own. With a path (`/*` for everything below), it is fetched as soon as the page opens there. */
export function screen(path: string, load: Load) {
  loads.push({ path, load })
  return lazy(async () => ({ default: await load().catch((error) => loadAgain(load, error)) }))
}

export function preloadScreen(pathname: string) {
  for (const { path, load } of loads) if (matchPath(path, pathname)) void load().catch(() => undefined)
}

/** Without a connection it is waited for; anything else is told at once. */
async function loadAgain(load: Load, error: unknown) {
  if (navigator.onLine) throw error
  await new Promise((resolve) => addEventListener('online', resolve, { once: true }))
  return load()
}
