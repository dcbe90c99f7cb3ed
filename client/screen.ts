import { limits } from '#config/limits.ts'
import { createElement, lazy, useState, type ComponentType } from 'react'
import { matchPath } from 'react-router'
import { hasSession } from './api/sign-out.ts'

/** A browser takes a chunk that could not be fetched for broken until the page is reloaded: the lost connection is waited for. */
let connection = Promise.resolve()
addEventListener('offline', () => {
  connection = new Promise((resolve) => addEventListener('online', () => resolve(), { once: true }))
})

const loads: { path: string | undefined; load: () => Promise<unknown> }[] = []

/** In place of a path: for what everybody sees who is signed in. */
export const whenSignedIn = 'when signed in'

/**
 * A screen or a layout in a chunk of its own. With a path (`/*` for everything below), it is fetched as soon as the page opens there.
 * What is there already is shown at once, without a spinner that would have to stay for a moment so as not to flicker.
 */
export function screen<Props extends object>(
  path: string | undefined,
  load: () => Promise<ComponentType<Props>>,
) {
  let loaded: ComponentType<Props> | undefined
  const keep = async () => {
    await connection
    return (loaded = await load())
  }
  loads.push({ path, load: keep })
  const Awaited = lazy(async () => ({ default: await keep() })) as unknown as ComponentType<Props>
  return function Screen(props: Props) {
    const [Shown] = useState(() => loaded ?? Awaited)
    return createElement(Shown, props)
  }
}

/** Fetches what the page opens with, for as long as nothing to be seen is bearable. */
export async function preloadScreen(pathname: string, isSignedIn: boolean) {
  const late = new Promise((resolve) => setTimeout(resolve, limits.screens.firstPaint))
  await Promise.race([late, fetchScreen(pathname, isSignedIn)])
}

/** Who points at a link, or comes to it by keyboard, is about to follow it. */
export function preloadWhatIsPointedAt() {
  for (const event of ['pointerover', 'focusin'] as const)
    addEventListener(event, ({ target }) => {
      const link = target instanceof Element && target.closest('a')
      if (link && link.origin === location.origin) void fetchScreen(link.pathname, hasSession())
    })
}

function fetchScreen(pathname: string, isSignedIn: boolean) {
  const wanted = loads.filter(({ path }) =>
    path === whenSignedIn ? isSignedIn : path !== undefined && matchPath(path, pathname),
  )
  return Promise.allSettled(wanted.map(({ load }) => load()))
}
