import { openCluster, projectOf, sizes, tokenOf, type Size } from './data.ts'
import { loadInTurns, openLine, succeed, type Target } from './load.ts'
import { startProduct, type Server } from './servers.ts'
import { note } from './table.ts'

type Input = (subscriptionId: string, count: number) => object

const calls: Record<string, Input> = {
  listSubscriptions: () => ({ page: 1, pageSize: 20 }),
  getSubscription: (subscriptionId) => ({ subscriptionId }),
  getSubscriptionUsers: (subscriptionId) => ({ subscriptionId }),
  listInvoices: (subscriptionId) => ({ subscriptionId }),
  listActivity: (subscriptionId) => ({ subscriptionId }),
  updateSubscriptionSettings: (subscriptionId, count) => ({
    subscriptionId,
    settings: { name: `Name ${count}` },
  }),
}

/** Those who have a token. */
const people = 100

/** Compares calls with a thousand projects in the database and with a million. */
export async function compareSizes(ports: Record<Size, number>) {
  const cluster = await openCluster()
  try {
    const start = (size: Size) => startProduct(ports[size], { DATABASE_URL: cluster.urlOf(size) })
    const [small, large] = await Promise.all([start('small'), start('large')])
    for (const [name, input] of Object.entries(calls)) {
      const targetOf = (server: Server, size: Size) => ({ server, next: asksOf(name, input, size) })
      const targets = { small: targetOf(small, 'small'), large: targetOf(large, 'large') }
      for (const target of Object.values(targets)) await warmUp(target)
      const figures = await loadInTurns(targets, {
        connections: 1,
        rounds: 6,
        seconds: 1,
        warmUp: 0.2,
      })
      const [floor, ours] = [figures.small.p99, figures.large.p99]
      note({
        name: `${name}: p99 at a million projects, to a thousand`,
        unit: 'ms',
        floor,
        ours,
        most: 1.3,
      })
    }
    await Promise.all([small.stop(), large.stop()])
  } finally {
    await cluster.stop()
  }
}

/**
 * Reads what all people need from the disk, twice. The large database does that at some 40 ms for
 * each of them, so a warm-up of a second would leave most of it to the measurement, and to its p99.
 */
async function warmUp({ server, next }: Target) {
  const line = openLine(server.port)
  for (let count = 0; count < 2 * people; count++) await succeed(line, next())
  line.close()
}

/** The people ask in turn, each about a project of theirs. */
function asksOf(name: string, input: Input, size: Size) {
  let count = 0
  return () => {
    const person = (count++ % people) * (sizes[size] / people)
    const body = JSON.stringify({ data: input(projectOf(person), count) })
    return { path: `/api/${name}`, body, token: tokenOf(person) }
  }
}
