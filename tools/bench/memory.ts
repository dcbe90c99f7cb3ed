import { setTimeout as delay } from 'node:timers/promises'
import { counts, owner, reset } from './fill.ts'
import { call, arrive, median, openLine, succeed } from './load.ts'
import { memoryOf, startProduct, type Server, type Side } from './servers.ts'
import { note } from './table.ts'

/** Starts the server five times, and notes its memory before anybody has used it. */
export async function measureStarts(port: number, env: Record<string, string>) {
  const times: number[] = []
  let server: Server | undefined
  for (let start = 0; start < 5; start++) {
    await server?.stop()
    const began = performance.now()
    server = await startProduct(port, env)
    const line = openLine(port)
    await succeed(line, call('getUser', 'lister0', {}))
    // The first start adds the tables of jobs and of the sandbox.
    if (start > 0) times.push(performance.now() - began)
    line.close()
  }
  note({ name: 'start to first signed-in answer', unit: 'ms', ours: median(times), most: 250 })
  await delay(3000)
  note({ name: 'memory idle', unit: 'MiB', ours: memoryOf(server!.pid), most: 100 })
  return server!
}

/** Uses the server for ten minutes like a busy team, and prints its memory. */
export async function soak({ server, database: { pool } }: Side) {
  await reset(pool, 'noGuests')
  let count = 0
  const next = () => {
    const project = count++ % counts.projects
    const subscriptionId = `project${project}`
    const user = owner(project)
    // Each project has another kind in the next turn.
    const kind = Math.floor(count / counts.projects + count) % 10
    if (kind === 0) {
      const email = `soaked${count}@example.com`
      return call('createInvite', user, { subscriptionId, email, permissions: ['access'] })
    }
    if (kind <= 2)
      return call('updateSubscriptionSettings', user, {
        subscriptionId,
        settings: { name: `Name ${count}` },
      })
    if (kind <= 6) return call('listSubscriptions', user, {})
    return call('getSubscriptionUsers', user, { subscriptionId })
  }
  const samples: number[] = []
  const sampling = setInterval(() => {
    samples.push(memoryOf(server.pid))
    console.log(`  after ${samples.length * 15} s: ${samples.at(-1)} MiB`)
  }, 15_000)
  const outcomes = await arrive({ server, next }, { perSecond: 60, seconds: 600 })
  clearInterval(sampling)
  const failed = outcomes.filter(({ status }) => status !== 200).map(({ status }) => status)
  note({ name: 'calls of the ten minutes that failed', ours: failed.length, most: 0 })
  if (failed.length > 0) console.log(`  statuses of calls that failed: ${failed.join(', ')}`)
  const [early, late] = [median(samples.slice(4, 12)), median(samples.slice(-8))]
  const name = 'memory in the last two of ten minutes, to the second and third'
  note({ name, unit: 'MiB', floor: early, ours: late, most: 1.1 })
}
