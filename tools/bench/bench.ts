// npm run bench: compares the product with bare servers that do the same work, in one table. Read
// the ratios, since the times are this machine's. See docs/performance.md.
//   -- --write   writes the table there
//   -- --soak    also uses the server for ten minutes and watches its memory
import { limits } from '../../config/limits.ts'
import { hash } from '@node-rs/argon2'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { build } from '../../scripts/install.mjs'
import { startEmbeddedPostgres } from '../../server/postgres/embedded-postgres.ts'
import { compareList, compareSignIn, compareWrites } from './calls.ts'
import { hasData } from './data.ts'
import { openDelays } from './delays.ts'
import { makeDatabases, password } from './fill.ts'
import { compareFloods } from './floods.ts'
import { measureStarts, soak } from './memory.ts'
import { overload } from './overload.ts'
import { memoryOf, startProgram } from './servers.ts'
import { compareSizes } from './sizes.ts'
import { note, table, writeTable } from './table.ts'
import { compareWebhooks } from './webhooks.ts'

const firstPort = Number(process.env['PORT'] ?? 3460)
const ports = Object.fromEntries(
  ['product', 'floor', 'billed', 'provider', 'small', 'large'].map((name, index) => [
    name,
    firstPort + index,
  ]),
) as Record<'product' | 'floor' | 'billed' | 'provider' | 'small' | 'large', number>

build()
const dataDir = mkdtempSync(join(tmpdir(), 'app-bench-'))
chmodSync(dataDir, 0o711)
const log = pino({ level: 'silent' })
const postgres = await startEmbeddedPostgres({ dataDir, log })
const cleanUp = async () => {
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

try {
  console.log(`${availableParallelism()} cores, 16 connections\n`)
  const databases = await makeDatabases(postgres.connection, log)
  const env = { DATABASE_URL: databases.product.url }
  const server = await measureStarts(ports.product, env)
  const ours = { server, database: databases.product }
  const floor = {
    server: await startProgram('floor.ts', ports.floor, {
      DATABASE_URL: databases.floor.url,
      PASSWORD_HASH: await hash(password, limits.passwords.cost),
    }),
    database: databases.floor,
  }
  const delays = await openDelays(ours)
  await delays.measureIdle()
  delays.note('idle', 30)
  await compareList({ floor, ours })
  await compareWrites({ floor, ours }, delays)
  delays.note('loaded', 250)
  await compareSignIn({ floor, ours })
  note({ name: 'memory after this load', unit: 'MiB', ours: memoryOf(server.pid), most: 180 })
  if (process.argv.includes('--soak')) await soak(ours)
  await compareFloods(server)
  await server.stop()
  await overload(ports.product, env)
  await compareWebhooks({ floor, database: databases.billed, ports })
  await floor.server.stop()
  for (const { pool } of Object.values(databases)) await pool.end()
} finally {
  await cleanUp()
}
if (hasData()) await compareSizes(ports)
else
  console.log('\nnpm run bench:data makes a database of a million projects to compare sizes with.')
console.log(`\n${table()}`)
if (process.argv.includes('--write')) writeTable()
