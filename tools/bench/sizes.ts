import { openCluster, projectOf, sizes, type Size } from './data.ts'
import { call, askInTurns } from './load.ts'
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
      // Twice what all people need: what is read from the disk first would be all of the p99.
      const p99 = await askInTurns(targets, { warmUp: 2 * people, asks: 3000 })
      note({
        name: `${name}: p99 at a million projects, to a thousand`,
        unit: 'ms',
        floor: p99.small,
        ours: p99.large,
        most: 1.3,
      })
    }
    await Promise.all([small.stop(), large.stop()])
  } finally {
    await cluster.stop()
  }
}

/** The people ask in turn, each about a project of theirs. */
function asksOf(name: string, input: Input, size: Size) {
  let count = 0
  return () => {
    const person = (count++ % people) * (sizes[size] / people)
    return call(name, person, input(projectOf(person), count))
  }
}
