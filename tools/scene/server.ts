import { Hono } from 'hono'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { readEnv } from '../../server/running/env.ts'
import { listen } from '../../server/running/listen.ts'
import { openServer } from '../../server/open-server.ts'
import type { HttpEnv } from '../../server/http/request.ts'
import { startEmbeddedPostgres } from '../../server/postgres/embedded-postgres.ts'
import { aFreePort } from '../free-port.ts'

// Runs a server on its own database. The parent process sets its clock and the payment provider's.
// The server ends with its parent and leaves nothing behind.

const folder = mkdtempSync(join(tmpdir(), 'app-scene-'))
// Other users may enter the folder, because PostgreSQL never runs as root.
chmodSync(folder, 0o711)
let ahead = Date.parse(process.argv[2]!) - Date.now()
const env = readEnv({
  PORT: String(await aFreePort()),
  DATA_DIR: folder,
  LOG_LEVEL: 'error',
  NODE_ENV: 'test',
})
const log = pino({ level: env.logLevel })
const postgres = await startEmbeddedPostgres({
  dataDir: env.dataDir,
  log,
  settings: { fsync: 'off' },
})
const { connection } = postgres
const server = await openServer({
  env,
  connection,
  log,
  now: () => new Date(Date.now() + ahead),
  alone: true,
  // The crontab follows the real clock: at some minutes it would remove what the pictures show.
  scheduled: false,
})
await moveProvider()
const http = await listen(withLastingCookies(), env)

process.on('message', ({ milliseconds }: { milliseconds: number }) => (ahead += milliseconds))
process.once('disconnect', () => void stop())
process.send!(env.publicUrl)

/** Sets the provider's clock in the database, because its API moves the clock only forward. */
async function moveProvider() {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query('update sandbox.settings set clock_offset = $1', [Math.round(ahead / 1000)])
  await client.end()
}

/** Removes expiry dates from cookies: in a browser with the real time they may be over. */
function withLastingCookies() {
  const app = new Hono<HttpEnv>()
  app.use(async (c, next) => {
    await next()
    const cookies = c.res.headers.getSetCookie()
    c.res.headers.delete('set-cookie')
    for (const cookie of cookies)
      c.res.headers.append('set-cookie', cookie.replace(/; Expires=[^;]+/, ''))
  })
  return app.route('/', server.app)
}

async function stop() {
  server.closeStreams()
  await http.close()
  await server.stop()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
  process.exit(0)
}
