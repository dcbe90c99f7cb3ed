import type { LiveChange, LiveEvent } from '#contract/live.ts'
import { onTestFinished } from 'vitest'
import type { Person } from './world.ts'

type Server = { request: (path: string, init?: RequestInit) => Promise<Response> }
/** How many milliseconds a change may take to reach a tab. */
const soon = 3000
let count = 0

/** Opens a tab of a person and waits until it has received all earlier changes. */
export async function aTab(server: Server, person: Person) {
  const tab = await openTab(server, person.token)
  while ((await tab.next()).event !== 'ready');
  await caughtUp()

  /** Changes the person's name and reads until the tab hears of it: no earlier change is left. */
  async function caughtUp() {
    const heard: LiveChange[] = []
    await person.call('updateProfile', { displayName: `Name ${count++}` })
    while (!heard.at(-1)?.what.includes('user')) heard.push(await tab.change())
    return heard
  }

  return {
    ...tab,
    /**
     * The changes that the tab received since the last call, except to the person's own name, and to
     * their notices unless these are asked for.
     */
    async heard({ notices = false } = {}) {
      const heard = await caughtUp()
      return {
        subscriptions: [...new Set(heard.flatMap(({ subscriptions }) => subscriptions))].toSorted(),
        what: [...new Set(heard.flatMap(({ what }) => what))]
          .filter((name) => name !== 'user' && (notices || name !== 'notices'))
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

  /** The next event; undefined once the stream has ended. */
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

  async function changed() {
    const event = await next()
    if (event.event !== 'changed')
      throw new Error(`Instead of a change came: ${JSON.stringify(event)}`)
    const { subscriptions, what, changes } = event
    return { change: { subscriptions, what }, changes }
  }

  return {
    headers: response.headers,
    next,
    close,
    async change(): Promise<LiveChange> {
      return (await changed()).change
    },
    /** Like `change`, with the ids of the changes. */
    changed,
    /** Skips events until the stream ends, and returns the reason. */
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
