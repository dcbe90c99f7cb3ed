// npm run seed: makes example people and projects on the running server, or on one of its own.
import { plans, type Plan } from '#config/plans.ts'
import { adminPermissions, permissionEntries } from '#contract/access.ts'
import { pino } from 'pino'
import { openServer } from '../../server/main.ts'
import { StartError } from '../../server/platform/start-error.ts'
import { readEnv, type Env } from '../../server/start/env.ts'
import { openPostgres } from '../../server/store/postgres/open-postgres.ts'
import { aPerson, aProject, askAt, invites, joins, password, Refused, type Ask } from './people.ts'

try {
  const env = readEnv(process.env)
  if (env.smtpUrl || env.stripe)
    throw new StartError(
      'Examples are made where mail and payments are stand-ins: unset SMTP_URL and the STRIPE_ variables.',
    )
  const addresses = await seedOn(env)
  console.log(`Example people: ${addresses.join(', ')}; everybody's password is "${password}".`)
  process.exit(0)
} catch (error) {
  const isClear = error instanceof StartError || error instanceof Refused
  console.error(isClear ? error.message : error)
  process.exit(1)
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
  const addresses = await seed(async (path, init) =>
    server.app.fetch(new Request(env.publicUrl + path, init)),
  )
  await server.stop()
  await postgres.stop()
  return addresses
}

/** Makes example people and projects through the API. What exists already stays as it is. */
async function seed(ask: Ask) {
  const offered: Plan[] = plans.filter(({ legacy }) => !legacy)
  const paid = offered.find(({ free }) => !free) ?? offered[0]!
  const free = offered.find((plan) => plan.free) ?? paid
  const card = (plan: Plan) => (plan.free ? undefined : 'pm_card_visa')
  const lesser = permissionEntries
    .filter(([, { admin, default: isDefault }]) => !admin && !isDefault)
    .map(([key]) => key)

  const [ann, bob, carla, dan, eve] = await Promise.all([
    aPerson(ask, 'Ann Archer'),
    aPerson(ask, 'Bob Baker'),
    aPerson(ask, 'Carla Cruz'),
    aPerson(ask, 'Dan Diaz'),
    aPerson(ask, 'Eve Engel'),
  ])
  const bridge = await aProject(ann, 'Bridge renewal', paid.id, card(paid))
  const harbour = await aProject(bob, 'Harbour study', free.id, card(free))
  await aProject(ann, 'Old ferry line', free.id, card(free))
  await joins(bob, ann, bridge, adminPermissions)
  await joins(carla, ann, bridge, lesser)
  await joins(dan, bob, harbour, [])
  await invites(bob, ann, harbour, lesser)
  await invites(ann, eve, bridge, [])
  return [ann, bob, carla, dan, eve].map(({ email }) => email)
}
