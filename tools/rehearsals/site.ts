import { aFreePort } from '../free-port.ts'
import { openBalancer } from './balancer.ts'
import { openCalls } from './calls.ts'
import type { Exempt } from './accounting.ts'
import { finish } from './ending.ts'
import { openServer } from './fleet.ts'
import { watchHolds } from './holds.ts'
import { openJournal } from './journal.ts'
import { secretKey } from './key.ts'
import { openLedger } from './ledger.ts'
import { runPeople } from './people.ts'
import { openLook, urlOn } from './postgres.ts'
import { runPulse } from './pulse.ts'
import type { Row } from './report.ts'
import { say, type Stage } from './stage.ts'

/** Connections of the load, beside those of the pulse. */
const load = { founders: 6, busy: 2 }

type Given = {
  roles: Record<string, 'web' | 'worker' | 'all'>
  /** The ports that servers reach the database at, in turns, and the one without a pooler. */
  pools: number[]
  direct: number
  /** The port of the present primary itself. */
  database: () => number
  code?: string
}

export type Site = Awaited<ReturnType<typeof openSite>>

/** Starts the servers, haproxy in front of those that people use, and then the load. */
export async function openSite(stage: Stage, { roles, pools, direct, database, code }: Given) {
  const port = await aFreePort()
  const url = `http://127.0.0.1:${port}`
  const settings = {
    PUBLIC_URL: url,
    DATABASE_DIRECT_URL: urlOn(direct),
    DATA_DIR: '/nowhere',
    SECRET_KEY: secretKey,
    STOP_DELAY: '2',
    // Each person of the load has a network address of their own, and names it as a proxy would.
    TRUST_PROXY: '1',
  }
  const named = Object.entries(roles)
  const servers = await Promise.all(
    named.map(([name, role], index) => {
      const env = { ...settings, ROLE: role, DATABASE_URL: urlOn(pools[index % pools.length]!) }
      return openServer(stage, { name, env, ...(code && { code }) })
    }),
  )
  const fleet = Object.fromEntries(servers.map((server) => [server.name, server]))
  const web = servers.filter(({ name }) => roles[name] !== 'worker')
  for (const server of servers) await server.start()
  const balancer = await openBalancer(stage, port, web)
  const journal = openJournal()
  const ledger = openLedger()
  const look = openLook(database)
  const calls = openCalls(url, journal)
  const holds = watchHolds(look)
  const running = Promise.all([runPeople({ calls, journal, ledger, look }, load), runPulse(calls)])
  // `finish` throws the error.
  running.catch(() => undefined)
  say(`${servers.length} servers run, with a load of ${load.founders + load.busy} people`)

  const parts = { servers, journal, ledger, look, calls, holds, running }
  return {
    fleet,
    web,
    balancer,
    journal,
    holds,
    finish: (more: () => Row[], exempt?: Exempt) => finish(parts, more, exempt),
  }
}
