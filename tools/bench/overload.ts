import { lister } from './fill.ts'
import { call, arrive, load, quantile, timesOf } from './load.ts'
import { memoryOf, startProduct } from './servers.ts'
import { note } from './table.ts'

const metricsToken = 'token_of_the_whole_bench'
const connections = 500

/** Asks for three times what the server can do, and compares the answers with quiet ones. */
export async function overload(port: number, env: Record<string, string>) {
  const server = await startProduct(port, { ...env, METRICS_TOKEN: metricsToken })
  let count = 0
  const next = () => call('listSubscriptions', lister(count++), {})
  const target = { server, next }
  const { rate } = await load(target)
  const quiet = await arrive(target, { perSecond: rate / 3, seconds: 5, connections })
  const memory = memoryOf(server.pid)
  const watched = watch(port)
  const outcomes = await arrive(target, { perSecond: rate * 3, seconds: 8, connections })
  const slowest = await watched.stop()
  const refused = outcomes.filter(({ status }) => status === 503).length
  const failed = outcomes.filter(({ status }) => status !== 200 && status !== 503).length
  note({
    name: 'three times the capacity: p99 of accepted, to quiet',
    unit: 'ms',
    floor: quantile(timesOf(quiet), 0.99),
    ours: quantile(timesOf(outcomes), 0.99),
    most: 5,
  })
  note({
    name: 'three times the capacity: refused with 503',
    unit: '%',
    ours: (100 * refused) / outcomes.length,
  })
  note({ name: 'three times the capacity: failed otherwise', ours: failed, most: 0 })
  note({
    name: 'three times the capacity: memory, to before',
    unit: 'MiB',
    floor: memory,
    ours: memoryOf(server.pid),
    most: 1.5,
  })
  note({
    name: 'three times the capacity: slowest /healthz or /metrics',
    unit: 'ms',
    ours: slowest,
    most: 1000,
  })
  await server.stop()
}

/** Asks for health and metrics again and again. */
function watch(port: number) {
  let [ended, slowest] = [false, 0]
  const headers = { authorization: `Bearer ${metricsToken}` }
  const watching = (async () => {
    while (!ended)
      for (const path of ['/healthz', '/metrics']) {
        const began = performance.now()
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
        await answer.text()
        if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
        slowest = Math.max(slowest, performance.now() - began)
      }
  })()
  return {
    async stop() {
      ended = true
      await watching
      return slowest
    },
  }
}
