import type { Reason } from '#contract/refusals.ts'

export type PopupOutcome =
  | { outcome: 'signedIn' | 'linked' | 'reauthenticated' }
  | { outcome: 'refused'; reason: Reason }
  | { outcome: 'closed' }

const [width, height] = [500, 680]
let generation = 0

/** The window for a sign-in provider, or nothing if the browser blocks it. It doesn't when this is done by the click itself. */
export function openPopup(url = 'about:blank') {
  const [left, top] = [screenX + (outerWidth - width) / 2, screenY + (outerHeight - height) / 2]
  const place = Object.entries({ width, height, left: Math.round(left), top: Math.round(top) }).map(
    ([name, value]) => `${name}=${value}`,
  )
  return window.open(url, `sign-in-${generation}`, `popup,${place.join()}`)
}

/** Leaves a window to itself that is done: closing takes a moment, and the next one must not be opened inside it. */
export function retirePopup() {
  generation++
}

/**
 * Tells what becomes of the window, until it is stopped. A provider may cut the window off from this page: it looks closed then, and
 * tells through the browser how it went when it is done.
 */
export function followPopup(popup: Window, tell: (outcome: PopupOutcome) => void) {
  const channel = new BroadcastChannel('sign-in')
  const listen = ({ origin, source, data }: MessageEvent) => {
    if (
      origin === location.origin &&
      (source === popup || source === null) &&
      data?.source === 'sign-in'
    )
      tell(data as PopupOutcome)
  }
  let wasClosed = false
  const watch = setInterval(() => {
    // What it told last may still be on its way.
    if (wasClosed) clearInterval(watch)
    if (wasClosed) tell({ outcome: 'closed' })
    wasClosed = popup.closed
  }, 400)
  channel.addEventListener('message', listen)
  window.addEventListener('message', listen)
  return () => {
    clearInterval(watch)
    channel.close()
    window.removeEventListener('message', listen)
  }
}
