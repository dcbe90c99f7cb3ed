// npm run bench:processes: compares several servers on one PostgreSQL with one. A worker runs their
// jobs. See docs/scaling.md, and read the ratios, since the load runs on the same cores.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { build } from '../../scripts/install.mjs'
import { startEmbeddedPostgres } from '../../server/postgres/embedded-postgres.ts'
import { counts, lister, makeDatabases, owner, reset, type Database } from './fill.ts'
import { call, load, type Ask } from './load.ts'
import { cpuOf, startProduct, type Server } from './servers.ts'

const connections = 16
const firstPort = Number(process.env['PORT'] ?? 3460)

build()
const dataDir = mkdtempSync(join(tmpdir(), 'app-bench-'))
chmodSync(dataDir, 0o711)
const log = pino({ level: 'silent' })
const postgres = await startEmbeddedPostgres({ dataDir, log, settings: { max_connections: '200' } })
try {
  const { product, floor } = await makeDatabases(postgres.connection, log)
  console.log(`${availableParallelism()} cores, ${connections} connections\n`)
  for (const count of [1, 2, 4]) await measure(count, product)
  for (const { pool } of [product, floor]) await pool.end()
} finally {
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function measure(count: number, { url, pool }: Database) {
  const start = (role: string, index: number) =>
    startProduct(firstPort + index, { DATABASE_URL: url, ROLE: role })
  const worker = await start('worker', 0)
  const servers: Server[] = []
  for (let index = 1; index <= count; index++) servers.push(await start('web', index))
  let listed = 0
  await show(`${count} list of 20`, servers, () => call('listSubscriptions', lister(listed++), {}))
  await reset(pool, 'noGuests')
  let invited = 0
  await show(`${count} invitation`, servers, () => {
    const project = invited % counts.projects
    const email = `invited${invited++}@example.com`
    const data = { subscriptionId: `project${project}`, email, permissions: ['access'] }
    return call('createInvite', owner(project), data)
  })
  await Promise.all([worker, ...servers].map(({ stop }) => stop()))
}

/** Loads all servers at once, and prints the sum of their answers and what each answer costs. */
async function show(name: string, servers: Server[], next: () => Ask) {
  const before = postgresCpu()
  const started = performance.now()
  const figures = await Promise.all(
    servers.map((server) =>
      load({ server, next }, { connections: connections / servers.length, seconds: 5 }),
    ),
  )
  const rate = figures.reduce((sum, { rate }) => sum + rate, 0)
  const p99 = Math.max(...figures.map(({ p99 }) => p99))
  const cores = (postgresCpu() - before) / 1000 / (performance.now() - started)
  const own = figures.reduce((sum, { rate, cpu }) => sum + rate * cpu, 0) / 1_000_000
  console.log(
    `${name.padEnd(16)} ${Math.round(rate)}/s, p99 ${p99.toFixed(1)} ms; cores used: servers ${own.toFixed(2)}, PostgreSQL ${cores.toFixed(2)}`,
  )
}

/** Of all processes with this name, also those that have ended. Linux only. */
function postgresCpu() {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.filter(isPostgres).reduce((sum, pid) => sum + cpuOf(Number(pid)), 0)
}

function isPostgres(pid: string) {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8') === 'postgres\n'
  } catch {
    return false
  }
}
