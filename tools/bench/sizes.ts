import { load } from './load.ts'
import { openCluster, projectOf, sizes, tokenOf, type Size } from './data.ts'

type Start = (
  file: string,
  port: number,
  ready: string,
  databaseUrl: string,
) => Promise<{ pid?: number | undefined; kill: (signal: 'SIGTERM') => void }>

const calls = {
  listSubscriptions: () => ({ page: 1, pageSize: 20 }),
  getSubscription: (subscriptionId: string) => ({ subscriptionId }),
  getSubscriptionUsers: (subscriptionId: string) => ({ subscriptionId }),
  listInvoices: (subscriptionId: string) => ({ subscriptionId }),
  listActivity: (subscriptionId: string) => ({ subscriptionId }),
}

/** Times the calls of the screens with a thousand projects in the database, then a million. */
export async function compareSizes(start: Start) {
  const cluster = await openCluster()
  try {
    const figures: Partial<Record<Size, Record<string, { p50: number; p99: number }>>> = {}
    for (const [index, size] of (Object.keys(sizes) as Size[]).entries()) {
      const port = 3463 + index
      const server = await start(
        '../../server/main.ts',
        port,
        `http://127.0.0.1:${port}/readyz`,
        cluster.urlOf(size),
      )
      try {
        figures[size] = await measure(size, port, server.pid!)
      } finally {
        server.kill('SIGTERM')
      }
    }
    console.log(
      `p50 and p99 in ms with ${sizes.small} projects and with ${sizes.large}, one connection`,
    )
    for (const name of Object.keys(calls)) {
      const [small, large] = [figures.small![name]!, figures.large![name]!]
      const side = ({ p50, p99 }: typeof small) => `${p50.toFixed(2)} ${p99.toFixed(2)}`
      console.log(
        `  ${name.padEnd(22)}${side(small).padEnd(14)}${side(large).padEnd(14)}p99 ${(large.p99 / small.p99).toFixed(2)}×`,
      )
    }
    console.log()
  } finally {
    await cluster.stop()
  }
}

async function measure(size: Size, port: number, pid: number) {
  const step = sizes[size] / 100
  const found: Record<string, { p50: number; p99: number }> = {}
  for (const [name, input] of Object.entries(calls)) {
    let turn = 0
    const person = () => (turn % 100) * step
    const body = () => JSON.stringify({ data: input(projectOf(person())) })
    const headers = () => ({ authorization: `Bearer ${tokenOf((turn++ % 100) * step)}` })
    found[name] = await load({ port, path: `/api/${name}`, headers, body }, { pid, connections: 1 })
  }
  return found
}
