// npm run seed: makes example people and projects on the running server, or on one of its own.
import { pino } from 'pino'
import { openServer } from '../../server/open-server.ts'
import { StartError } from '../../server/platform/start-error.ts'
import { print } from '../../server/platform/terminal.ts'
import { exitWith } from '../../server/running/announce.ts'
import { readEnv, type Env } from '../../server/running/env.ts'
import { openPostgres } from '../../server/postgres/open-postgres.ts'
import { bankOf } from './cards.ts'
import { expired, lasting, playWorld } from './world.ts'
import { addressOf, askAt, password, Refused, type Ask } from './people.ts'

/** Who can sign in, and what there is to look at. */
const people = {
  'Ann Archer':
    'Owns a paid project with a team and invoices, one with an overdue payment, one on a plan no longer sold, and a canceled one.',
  'Bob Baker': 'Administrator of Bridge renewal. Owns Harbour study and Market hall.',
  'Carla Cruz': 'Editor of Bridge renewal and Harbour lights.',
  'Dan Díaz': 'Member of Bridge renewal.',
  'Nina Novak': 'Has an empty project.',
  'Omar Ortiz': 'Has just signed up.',
}

try {
  const env = readEnv(process.env)
  if (env.smtpUrl || env.stripe || !env.hasDev)
    throw new StartError(
      'Examples are made in development, where mail and payments are stand-ins: unset SMTP_URL, ALLOW_SANDBOX, NODE_ENV and the STRIPE_ variables.',
    )
  await seedOn(env)
  const lines = Object.entries(people).map(
    ([name, text]) => `  ${addressOf(name).padEnd(24)} ${text}`,
  )
  print(`Sign in at ${env.publicUrl} with the password "${password}" as\n`)
  print(`${lines.join('\n')}\n\nThe list is also at ${env.publicUrl}/dev/people.`)
  process.exit(0)
} catch (error) {
  exitWith(error instanceof Refused ? new StartError(error.message) : error)
}

/** Uses the running server, or starts one for the purpose. */
async function seedOn(env: Env) {
  const here = askAt(`http://${env.host}:${env.port}`)
  const isRunning = await here('/readyz').then(
    ({ ok }) => ok,
    () => false,
  )
  if (isRunning) return seed(here)
  const log = pino({ level: 'warn' })
  const postgres = await openPostgres(env, log)
  const server = await openServer({ env, connection: postgres.connection, log })
  await seed(async (path, init) => server.app.fetch(new Request(env.publicUrl + path, init)))
  await server.stop()
  await postgres.stop()
}

/** Makes the example world through the API. The sandbox's clock goes back first, and returns. */
async function seed(ask: Ask) {
  const { moveClock } = bankOf(ask)
  let behind = 0
  const pass = async (seconds: number) => {
    if (seconds > 0) await moveClock({ advanceSeconds: seconds })
    behind -= seconds
  }
  const begin = async () => {
    await moveClock({ rewindSeconds: lasting })
    behind = lasting
  }
  const { isNew } = await playWorld(ask, { begin, pass }).catch(async (error: unknown) => {
    await pass(behind)
    throw error
  })
  const list = Object.entries(people).map(([name, text]) => ({
    name,
    email: addressOf(name),
    text,
  }))
  const examples = { password, people: list, expired: isNew ? [expired.email] : [] }
  const headers = { 'content-type': 'application/json' }
  const answer = await ask('/dev/examples', {
    method: 'POST',
    headers,
    body: JSON.stringify(examples),
  })
  if (!answer.ok) throw new Error(await answer.text())
}
