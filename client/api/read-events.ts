import type { LiveEvents } from '#contract/live.ts'

export type LiveEvent = {
  [Name in keyof LiveEvents]: { event: Name; data: LiveEvents[Name] }
}[keyof LiveEvents]

/**
 * Server-sent events as they come, and nothing for each sign of life in between. By hand, because the browser's own reader can't send
 * the access token as a header.
 */
export async function* readEvents(
  body: ReadableStream<BufferSource>,
): AsyncGenerator<LiveEvent | undefined> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const blocks = (text + value).split('\n\n')
    text = blocks.pop()!
    for (const block of blocks) yield eventOf(block)
  }
}

function eventOf(block: string) {
  const fields = new Map(
    block
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const [event, data] = [fields.get('event'), fields.get('data')]
  return event !== undefined && data !== undefined
    ? ({ event, data: JSON.parse(data) } as LiveEvent)
    : undefined
}
