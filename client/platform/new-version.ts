import { paths } from '#contract/paths.ts'

/** The form that the user has typed into last. */
let typedInto: Element | null = null
/** A file of the app that could not be loaded, and whether the user was typing then. */
let missing: { isTyping: boolean } | undefined

addEventListener('input', ({ target }) => {
  typedInto = target instanceof Element ? target.closest('form') : null
})
addEventListener('vite:preloadError', () => {
  missing = { isTyping: typedInto?.isConnected ?? false }
})

export function missingFile() {
  return missing
}

/** Whether the server has another version of the app than this page. Rejects if it is away. */
export async function isOutdated() {
  const own = document.querySelector<HTMLScriptElement>('script[type=module][src]')
  const page = await (await fetch(paths.home, { cache: 'no-store' })).text()
  return own !== null && !page.includes(own.getAttribute('src')!)
}

const storageKey = 'reloaded'
/** Milliseconds between two reloads that nobody asked for. */
const pause = 60_000

/** Reloads the page, unless it has just been reloaded or the browser can't remember whether. */
export function reloadOnce() {
  try {
    if (Date.now() - Number(sessionStorage.getItem(storageKey)) < pause) return
    sessionStorage.setItem(storageKey, String(Date.now()))
    location.reload()
  } catch {
    // If the browser blocks storage, the user reloads.
  }
}
