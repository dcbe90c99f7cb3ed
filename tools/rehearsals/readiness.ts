import { setTimeout as delay } from 'node:timers/promises'
import { readiness, type Server } from './fleet.ts'

/** Milliseconds between two looks. */
const rhythm = 100

/** Asks every server's /readyz again and again. */
export function watchReadiness(servers: Server[]) {
  const seen: { server: string; at: number; status: number }[] = []
  let stopped = false
  const watch = async ({ name, port }: Server) => {
    for (; !stopped; await delay(rhythm)) {
      const status = await readiness(port)
      seen.push({ server: name, at: Date.now(), status })
    }
  }
  const watching = Promise.all(servers.map(watch))

  return {
    /** Milliseconds until the last of the servers said 503 in this time; Infinity if one never did. */
    saidNo(from: number, to: number) {
      const times = servers.map(({ name }) => {
        const no = seen.find(
          ({ server, at, status }) => server === name && at > from && at <= to && status === 503,
        )
        return no ? no.at - from : Infinity
      })
      return Math.max(...times)
    },
    async stop() {
      stopped = true
      await watching
    },
  }
}
