import { limits } from '../../config/limits.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { owner, reset, tokenOf } from './fill.ts'
import { call, median, openLine, succeed, type Ask } from './load.ts'
import type { Side } from './servers.ts'
import { note } from './table.ts'

/** Milliseconds after which something counts as lost. */
const most = 120_000

export type Delays = Awaited<ReturnType<typeof openDelays>>

/** Times how long after the answers their mails are kept, and their changes told to open tabs. */
export async function openDelays({ server, database: { pool } }: Side) {
  const answers = new Map<string, number>()
  const found = { mails: [] as number[], live: [] as number[], last: [] as number[] }
  let live: Awaited<ReturnType<typeof watchLive>> | undefined

  function answered({ body }: Ask) {
    const { data } = JSON.parse(body) as { data: { email: string } }
    answers.set(data.email, Date.now())
  }

  async function begin() {
    await reset(pool, 'noGuests')
    await pool.query('truncate kept_mails')
    answers.clear()
    live = await watchLive(server.port)
  }

  async function end() {
    const lastAnswer = Date.now()
    found.live.push(...(await live!.stop()))
    const count = `select count(*) from kept_mails where "to" like 'invited%'`
    while ((await pool.query(count)).rows[0].count < answers.size) {
      if (Date.now() > lastAnswer + most) throw new Error('Not every invitation has its mail.')
      await delay(20)
    }
    const { rows } = await pool.query<{ to: string; at: Date }>(
      `select "to", at from kept_mails where "to" like 'invited%' order by at`,
    )
    found.mails.push(...rows.map(({ to, at }) => at.getTime() - answers.get(to)!))
    found.last.push(Math.max(0, rows.at(-1)!.at.getTime() - lastAnswer))
  }

  return {
    /** What a load of invitations does beside. */
    whileLoaded: { before: begin, answered, after: end },

    async measureIdle() {
      await begin()
      const line = openLine(server.port)
      for (let count = 0; count < 30; count++) {
        const data = { subscriptionId: `project${count}`, permissions: ['access'] }
        const ask = call('createInvite', owner(count), {
          ...data,
          email: `invited${count}@a.example`,
        })
        await succeed(line, ask)
        answered(ask)
        await delay(100)
      }
      line.close()
      await end()
    },

    /** Adds what was found since the last time. */
    note(when: string, most: number) {
      note({ name: `mail after the answer, ${when}`, unit: 'ms', ours: median(found.mails), most })
      note({
        name: `live event after the answer, ${when}`,
        unit: 'ms',
        ours: median(found.live),
        most,
      })
      if (when === 'loaded')
        note({ name: 'last mail after the last answer', unit: 'ms', ours: Math.max(...found.last) })
      for (const list of Object.values(found)) list.length = 0
    },
  }
}

/** Changes a project again and again, and times how long after the answer its stream tells it. */
async function watchLive(port: number) {
  const token = tokenOf('lister0')
  const closing = new AbortController()
  const stream = await fetch(`http://127.0.0.1:${port}/live`, {
    headers: { authorization: `Bearer ${token}` },
    signal: closing.signal,
  })
  let tell = (_at: number) => {}
  const listening = (async () => {
    for await (const chunk of stream.body!.pipeThrough(new TextDecoderStream()))
      if (chunk.includes('"changed"')) tell(performance.now())
  })().catch(() => undefined)

  let isEnding = false
  const times: number[] = []
  const line = openLine(port)
  const changing = (async () => {
    while (!isEnding) {
      const told = new Promise<number>((resolve) => (tell = resolve))
      const lost = delay(most, undefined, { ref: false }).then(() => {
        throw new Error('A live event did not come.')
      })
      const data = { subscriptionId: 'listed0', settings: { name: `Told at ${performance.now()}` } }
      await succeed(line, call('updateSubscriptionSettings', 'lister0', data))
      const answered = performance.now()
      // A stream gathers changes for this time on purpose.
      times.push(Math.max(0, (await Promise.race([told, lost])) - answered - limits.live.together))
      await delay(100)
    }
  })()
  return {
    async stop() {
      isEnding = true
      await changing
      closing.abort()
      await listening
      line.close()
      return times
    },
  }
}
