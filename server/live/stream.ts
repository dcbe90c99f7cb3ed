import { limits } from '#config/limits.ts'
import type { LiveEnd, LiveEvent, LiveName } from '#contract/live.ts'
import type { CurrentToken } from '../store/access-tokens.ts'

export type Stream = ReturnType<typeof openStream>
export type Opening = {
  userId: string
  sessionId: string
  /** The access token of the program that listens, if one does. */
  accessToken: CurrentToken | undefined
  /** Whether the session has passed a second step. */
  passed: boolean
  /** How long the access token stays valid, in milliseconds. */
  left: number
}
type Options = Opening & {
  onClosed: (stream: Stream) => void
}

type Told = {
  what: LiveName
  subscription?: string | undefined
  changes?: string[] | null | undefined
}

/** In milliseconds. Node would take a longer one for none. */
const longestTimer = 2 ** 31 - 1

/** Stands for a change of everything, and for one that a server of a former version handed on. */
const unknown = ''
const encoder = new TextEncoder()

/** Opens the stream of one tab, which ends with an error if the tab doesn't read. */
export function openStream({ left, onClosed, ...opened }: Options) {
  let controller!: ReadableStreamDefaultController<Uint8Array>
  let isOpen = true
  let timer: NodeJS.Timeout | undefined
  const subscriptions = new Set<string>()
  const what = new Set<LiveName>()
  const changes = new Set<string>()
  const body = new ReadableStream<Uint8Array>(
    { start: (given) => void (controller = given), cancel: close },
    new ByteLengthQueuingStrategy({ highWaterMark: limits.live.unread }),
  )
  const expiry = setTimeout(() => end('tokenExpired'), Math.min(left, longestTimer))
  const stream = { ...opened, body, beReady, tell, beat, end }
  return stream

  /** Tells the tab that it misses no change from now on. */
  function beReady() {
    flush()
    send({ event: 'ready' })
  }

  function tell(told: Told) {
    if (!isOpen) return
    what.add(told.what)
    for (const change of told.changes ?? [unknown]) changes.add(change)
    if (told.subscription !== undefined) subscriptions.add(told.subscription)
    timer ??= setTimeout(flush, limits.live.together)
  }

  /** Shows proxies and the tab that the server is still alive. */
  function beat() {
    write(':\n\n')
  }

  function end(because: LiveEnd) {
    flush()
    send({ event: 'end', because })
    if (!isOpen) return
    close()
    controller.close()
  }

  function flush() {
    clearTimeout(timer)
    timer = undefined
    if (what.size > 0)
      send({
        event: 'changed',
        subscriptions: [...subscriptions],
        what: [...what],
        changes: [...changes],
      })
    for (const sent of [subscriptions, what, changes]) sent.clear()
  }

  function send(event: LiveEvent) {
    write(`data: ${JSON.stringify(event)}\n\n`)
  }

  function write(text: string) {
    if (!isOpen) return
    if (controller.desiredSize! > 0) return controller.enqueue(encoder.encode(text))
    close()
    controller.error(new Error('A stream was not read.'))
  }

  function close() {
    isOpen = false
    clearTimeout(timer)
    clearTimeout(expiry)
    onClosed(stream)
  }
}
