import { limits } from '#config/limits.ts'
import type { LiveEnd, LiveEvents, LiveName } from '#contract/live.ts'

export type Stream = ReturnType<typeof openStream>
type Options = {
  userId: string
  sessionId: string
  /** How long its access token is still good, in milliseconds. */
  left: number
  onClosed: (stream: Stream) => void
}

const encoder = new TextEncoder()

/** One open tab. What changes within a moment is told at once; who doesn't read is let go. */
export function openStream({ userId, sessionId, left, onClosed }: Options) {
  let controller!: ReadableStreamDefaultController<Uint8Array>
  let isOpen = true
  let timer: NodeJS.Timeout | undefined
  const projects = new Set<string>()
  const what = new Set<LiveName>()
  const body = new ReadableStream<Uint8Array>(
    { start: (given) => void (controller = given), cancel: close },
    new ByteLengthQueuingStrategy({ highWaterMark: limits.live.unread }),
  )
  const expiry = setTimeout(() => end('tokenExpired'), left)
  const stream = { userId, sessionId, body, beReady, tell, beat, end }
  return stream

  /** From here on nothing is missed. */
  function beReady() {
    flush()
    send('ready', {})
  }

  function tell(name: LiveName, project?: string) {
    if (!isOpen) return
    what.add(name)
    if (project !== undefined) projects.add(project)
    timer ??= setTimeout(flush, limits.live.together)
  }

  /** Keeps whatever is between here and the tab from thinking that nobody is there. */
  function beat() {
    write(':\n\n')
  }

  function end(because: LiveEnd['because']) {
    flush()
    send('end', { because })
    if (!isOpen) return
    close()
    controller.close()
  }

  function flush() {
    clearTimeout(timer)
    timer = undefined
    if (what.size > 0) send('changed', { projects: [...projects], what: [...what] })
    projects.clear()
    what.clear()
  }

  function send<Event extends keyof LiveEvents>(event: Event, data: LiveEvents[Event]) {
    write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
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
