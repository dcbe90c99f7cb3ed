import type { LiveChange, LiveEvent } from '#contract/live.ts'
import { onTestFinished } from 'vitest'
import type { Person } from './world.ts'

type Server = { request: (path: string, init?: RequestInit) => Promise<Response> }
/** How long a change may take to be heard, in milliseconds. */
const soon = 3000
let count = 0

/** A person's open tab at a server, which has heard all that happened before. */
export async function aTab(server: Server, person: Person) {
  const tab = await openTab(server, person.token)
  while ((await tab.next()).event !== 'ready');
  await caughtUp()

  /** Changes the person's name and reads until that is heard: nothing else is then under way. */
  async function caughtUp() {
    const heard: LiveChange[] = []
    await person.call('updateProfile', { displayName: `Name ${count++}` })
    while (!heard.at(-1)?.what.includes('user')) heard.push(await tab.change())
    return heard
  }

  return {
    ...tab,
    /** What the tab has heard since the last time, without the person's own name. */
    async heard() {
      const heard = await caughtUp()
      return {
        subscriptions: [...new Set(heard.flatMap(({ subscriptions }) => subscriptions))].toSorted(),
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
        if (block.startsWith('data: ')) return JSON.parse(block.slice(6)) as LiveEvent
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
    async change(): Promise<LiveChange> {
      const { event, ...change } = await next()
      if ('what' in change) return change
      throw new Error(`Instead of a change came ${event}: ${JSON.stringify(change)}`)
    },
    /** Why it ended; events before that are skipped. */
    async end() {
      for (let last: LiveEvent | undefined; ;) {
        const event = await read()
        if (!event) return last?.event === 'end' ? last.because : 'without a word'
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
