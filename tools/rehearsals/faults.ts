import { setTimeout as delay } from 'node:timers/promises'
import { aDisk, aHoldOnConnections, aReadOnlyTime } from './database-faults.ts'
import { openPgBouncer, type PgBouncer } from './pgbouncer.ts'
import { initCluster, makeDatabase, openPostgres } from './postgres.ts'
import { openProxy, type Proxy } from './proxy.ts'
import { watchReadiness } from './readiness.ts'
import type { Row } from './report.ts'
import { openSite, type Site } from './site.ts'
import { say, type Stage } from './stage.ts'

type Fault = {
  name: string
  /** Milliseconds until `end`. */
  lasts: number
  ofDatabase?: boolean
  begin: () => unknown
  end?: () => unknown
}

/** Milliseconds without a fault, before the first one and after each. */
const quiet = 5000
/** Milliseconds within which /readyz must say that writes can't work. */
const notice = 3000
/** Milliseconds within which a write must succeed after a fault, for the rehearsal to go on. */
const patience = 60_000

/** Breaks one thing after the other, and mends it. */
export async function faults(stage: Stage, { direct }: { direct: boolean }) {
  const disk = aDisk(stage)
  await initCluster(stage, disk.folder)
  const postgres = await openPostgres(stage, 'postgres', disk.folder)
  await postgres.start()
  await makeDatabase(postgres)
  const proxy = await openProxy(stage, postgres.port)
  const pooler = direct ? undefined : await openPgBouncer(stage, 'pgbouncer', proxy.port)
  const site = await openSite(stage, {
    roles: { web1: 'web', web2: 'web', web3: 'web', worker: 'worker' },
    pools: [pooler?.port ?? proxy.port],
    direct: proxy.port,
    database: () => postgres.port,
  })
  const watched = watchReadiness(site.web)
  const connections = aHoldOnConnections(postgres.port, proxy)
  const readOnly = aReadOnlyTime(postgres.port)

  const all: Fault[] = [
    ...Object.values(site.fleet).map((server) => ({
      name: `${server.name} killed`,
      lasts: 2000,
      begin: () => server.kill(),
      end: () => server.start(),
    })),
    {
      name: 'postmaster killed',
      lasts: 3000,
      ofDatabase: true,
      begin: () => postgres.killPostmaster(),
      end: () => postgres.start(),
    },
    {
      name: 'PostgreSQL frozen',
      lasts: 20_000,
      ofDatabase: true,
      begin: () => postgres.signalAll('SIGSTOP'),
      end: () => postgres.signalAll('SIGCONT'),
    },
    { name: 'connections cut', lasts: 0, ofDatabase: true, begin: () => proxy.cut() },
    {
      name: 'connections taken',
      lasts: 10_000,
      ofDatabase: true,
      begin: () => connections.begin(),
      end: () => connections.end(),
    },
    {
      name: 'disk full',
      lasts: 10_000,
      ofDatabase: true,
      begin: () => disk.fill(),
      async end() {
        disk.free()
        // PostgreSQL ends if it can't even write that it begins again.
        await postgres.start()
      },
    },
    {
      name: 'database read-only',
      lasts: 10_000,
      ofDatabase: true,
      begin: () => readOnly.begin(),
      end: () => readOnly.end(),
    },
    ...(pooler ? poolerFaults(pooler) : [networkFault(proxy)]),
  ]
  const rows: Row[] = []
  await delay(quiet)
  for (const fault of all)
    if (fault.name === 'disk full' && !disk.canFill)
      say('disk full: skipped, as only root can mount the disk for it')
    else rows.push(...(await play(fault, site, watched)))
  await watched.stop()
  return site.finish(() => rows)
}

function poolerFaults(pooler: PgBouncer): Fault[] {
  return [
    {
      name: 'PgBouncer killed',
      lasts: 3000,
      ofDatabase: true,
      begin: () => pooler.signal('SIGKILL'),
      end: () => pooler.startAgain(),
    },
    {
      name: 'PgBouncer frozen',
      lasts: 10_000,
      ofDatabase: true,
      begin: () => pooler.signal('SIGSTOP'),
      end: () => pooler.signal('SIGCONT'),
    },
  ]
}

/** A pooler would go on with connections that lead nowhere, so the servers have none here. */
function networkFault(proxy: Proxy): Fault {
  return {
    name: 'network loses all',
    lasts: 15_000,
    ofDatabase: true,
    begin: () => proxy.loseAll(),
    end: () => proxy.find(),
  }
}

type Watched = ReturnType<typeof watchReadiness>

async function play(fault: Fault, { journal, holds }: Site, watched: Watched) {
  const { name, lasts, ofDatabase, begin, end } = fault
  journal.begin(name)
  say(name)
  const began = Date.now()
  if (ofDatabase) holds.beginTrouble()
  await begin()
  await delay(lasts)
  const over = Date.now()
  const silent = !journal.hasWritten(began + notice, over)
  await end?.()
  if (ofDatabase) holds.endTrouble()
  const ended = Date.now()
  journal.begin(`after: ${name}`)
  const givenUpAt = ended + patience
  while (journal.firstWriteAfter(ended) === Infinity && Date.now() < givenUpAt) await delay(20)
  const recovered: Row = {
    what: `${name}: first write after the end`,
    had: journal.firstWriteAfter(ended) - ended,
    unit: 'ms',
    aim: 1000,
  }
  await delay(quiet)
  if (lasts <= notice) return [recovered]
  const no = { what: `${name}: all /readyz say 503`, had: watched.saidNo(began, over), unit: 'ms' }
  return [silent ? { ...no, must: notice } : { ...no, what: `${no.what}; writes work` }, recovered]
}
