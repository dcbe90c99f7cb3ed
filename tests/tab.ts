import type { LiveChange, LiveEvents } from '#contract/live.ts'
import { onTestFinished } from 'vitest'
import type { Person } from './world.ts'

type Server = { request: (path: string, init?: RequestInit) => Promise<Response> }
export type LiveEvent = {
  [Name in keyof LiveEvents]: { event: Name; data: LiveEvents[Name] }
}[keyof LiveEvents]

/** How long something may take that is to be seen at once, in milliseconds. */
const soon = 3000
let count = 0

/** Somebody's open tab at a server, of which everything that happened before it was opened has been heard. */
export async function aTab(server: Server, person: Person) {
  const tab = await openTab(server, person.token)
  while ((await tab.next()).event !== 'ready');
  await caughtUp()

  /** Its own name is the last that was changed: what was told before is all that was told. */
  async function caughtUp() {
    const heard: LiveChange[] = []
    await person.call('updateProfile', { displayName: `Name ${count++}` })
    while (!heard.at(-1)?.what.includes('user')) heard.push(await tab.change())
    return heard
  }

  return {
    ...tab,
    /** What was told since the last time, not counting the question. */
    async heard() {
      const heard = await caughtUp()
      return {
        projects: [...new Set(heard.flatMap(({ projects }) => projects))].toSorted(),
        what: [...new Set(heard.flatMap(({ what }) => what))]
          .filter((name) => name !== 'user')
          .toSorted(),
      }
    },
  }
}

export async function openTab({ request }: Server, token: string) {
  const response = await request('/live', { headers: { authorization: `Bearer ${token}` } })
  if (!response.body || response.status !== 200)
    throw new Error(`The stream was refused: ${response.status}`)
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  const close = () => reader.cancel().catch(() => undefined)
  onTestFinished(close)
  let text = ''

  /** The next event, or nothing when the stream has ended. */
  async function read(): Promise<LiveEvent | undefined> {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end >= 0) {
        const block = text.slice(0, end)
        text = text.slice(end + 2)
        const found = /^event: (\w+)\ndata: (.*)$/.exec(block)
        if (found) return { event: found[1], data: JSON.parse(found[2]!) } as LiveEvent
        continue
      }
      const { done, value } = await inTime(reader.read())
      if (done) return undefined
      text += value
    }
  }

  async function next() {
    const event = await read()
    if (!event) throw new Error('The stream has ended.')
    return event
  }

  return {
    headers: response.headers,
    next,
    close,
    async change() {
      const { event, data } = await next()
      if (event !== 'changed')
        throw new Error(`Instead of a change came ${event}: ${JSON.stringify(data)}`)
      return data
    },
    /** Why it ended; anything told before is passed over. */
    async end() {
      for (let last: LiveEvent | undefined; ;) {
        const event = await read()
        if (!event) return last?.event === 'end' ? last.data.because : 'without a word'
        last = event
      }
    },
  }
}

async function inTime<Value>(promise: Promise<Value>): Promise<Value> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`Nothing came within ${soon} ms.`)), soon)
  return Promise.race([promise, late.promise]).finally(() => clearTimeout(timer))
}
