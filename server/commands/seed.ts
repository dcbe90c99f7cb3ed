import type { PermissionKey } from '#config/permissions.ts'
import { plans, type Plan } from '#config/plans.ts'
import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import { adminPermissions, permissionEntries } from '#contract/access.ts'
import type { RefusalBody } from '#contract/refusals.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { readEnv, type Env } from '../start/env.ts'
import { openServer } from '../main.ts'
import { StartError } from '../platform/start-error.ts'
import { openPostgres } from '../store/postgres/open-postgres.ts'

type Ask = (path: string, init?: RequestInit) => Promise<Response>

type Person = { name: string; email: string; token: string }

const password = 'over the bridge'
const people = ['Ann Archer', 'Bob Baker', 'Carla Cruz', 'Dan Diaz', 'Eve Engel']
const billingDetails = {
  name: 'Ann Archer',
  phone: '+1 217 555 0100',
  address: {
    line1: '1 Main Street',
    city: 'Springfield',
    state: 'IL',
    postal_code: '62701',
    country: 'US',
  },
}

/** Makes example people and projects through the API. What exists already stays as it is. */
async function seed(ask: Ask) {
  const [ann, bob, carla, dan, eve] = await Promise.all(people.map((name) => aPerson(ask, name)))
  const offered: Plan[] = plans.filter(({ legacy }) => !legacy)
  const paid = offered.find(({ free }) => !free) ?? offered[0]!
  const free = offered.find((plan) => plan.free) ?? paid
  const lesser = permissionEntries
    .filter(([, { admin, default: isDefault }]) => !admin && !isDefault)
    .map(([key]) => key)
  const bridge = await aProject(ask, ann!, 'Bridge renewal', paid)
  const harbour = await aProject(ask, bob!, 'Harbour study', free)
  await aProject(ask, ann!, 'Old ferry line', free)
  await join(ask, bridge, ann!, bob!, adminPermissions)
  await join(ask, bridge, ann!, carla!, lesser)
  await join(ask, harbour, bob!, dan!, [])
  await invite(ask, harbour, bob!, ann!, lesser)
  await invite(ask, bridge, ann!, eve!, [])
}

async function aPerson(ask: Ask, name: string): Promise<Person> {
  const email = `${name.split(' ')[0]!.toLowerCase()}@example.com`
  const signedUp = await call(ask, 'signUp', { fullName: name, email, password })
  if ('error' in signedUp) {
    const { token } = must(await call(ask, 'signIn', { email, password }))
    return { name, email, token }
  }
  const oobCode = await untilMailed(ask, email)
  must(await call(ask, 'applyActionCode', { oobCode }))
  return { name, email, token: signedUp.result.token }
}

/** The code of the verification mail, which a job sends after the call. */
async function untilMailed(ask: Ask, email: string) {
  const patience = AbortSignal.timeout(30_000)
  while (!patience.aborted) {
    const mails = await (await ask(`/dev/mail.json?to=${email}`)).json()
    for (const { links } of mails as { links: string[] }[]) {
      const code = new URL(links[0]!).searchParams.get('oobCode')
      if (code) return code
    }
    await delay(50)
  }
  throw new StartError(`The examples could not be made: no mail has come for ${email}.`)
}

async function aProject(ask: Ask, owner: Person, name: string, plan: Plan) {
  const { subscriptions } = must(await call(ask, 'listSubscriptions', {}, owner))
  const known = subscriptions.find(({ settings }) => settings['name'] === name)
  if (known) return known.id
  const billingInfo = plan.free
    ? {}
    : { billingInfo: { billingDetails, paymentMethodId: 'pm_card_visa' } }
  const { subscriptionId } = must(
    await call(ask, 'createSubscription', { planId: plan.id, ...billingInfo }, owner),
  )
  must(await call(ask, 'updateSubscriptionSettings', { subscriptionId, settings: { name } }, owner))
  return subscriptionId
}

async function join(
  ask: Ask,
  subscriptionId: string,
  host: Person,
  guest: Person,
  roles: PermissionKey[],
) {
  const inviteId = await invite(ask, subscriptionId, host, guest, roles)
  if (inviteId) must(await call(ask, 'acceptInvite', { inviteId }, guest))
}

/** Undefined if the guest is invited or a member already. */
async function invite(
  ask: Ask,
  subscriptionId: string,
  host: Person,
  guest: Person,
  roles: PermissionKey[],
) {
  const { email, name } = guest
  const input = { subscriptionId, email, name, permissions: roles }
  const answer = await call(ask, 'createInvite', input, host)
  return 'result' in answer || answer.error.status !== 'ALREADY_EXISTS'
    ? must(answer).inviteId
    : undefined
}

type Answer<Name extends CallName> = { result: CallOutput<Name> } | { error: RefusalBody }

async function call<Name extends CallName>(
  ask: Ask,
  name: Name,
  data: CallInput<Name>,
  person?: Person,
): Promise<Answer<Name>> {
  const headers = {
    'content-type': 'application/json',
    ...(person && { authorization: `Bearer ${person.token}` }),
  }
  const response = await ask(`/api/${name}`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ data }),
  })
  return (await response.json()) as Answer<Name>
}

function must<Result>(answer: { result: Result } | { error: RefusalBody }) {
  if ('error' in answer)
    throw new StartError(`The examples could not be made: ${answer.error.message}`)
  return answer.result
}

/** Uses the running server, or starts one for the purpose. */
async function main() {
  const env = readEnv(process.env)
  if (env.smtpUrl || env.stripe)
    throw new StartError(
      'Examples are made where mail and payments are stand-ins: unset SMTP_URL and the STRIPE_ variables.',
    )
  const here = `http://${env.host}:${env.port}`
  const runs = await fetch(`${here}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
  if (runs) await seed((path, init) => fetch(here + path, init))
  else await seedAlone(env)
  console.log(
    `Example people: ${people.map((name) => `${name.split(' ')[0]!.toLowerCase()}@example.com`).join(', ')}; everybody's password is "${password}".`,
  )
}

async function seedAlone(env: Env) {
  const log = pino({ level: 'warn' })
  const postgres = await openPostgres(env, log)
  const server = await openServer({ env, connection: postgres.connection, log })
  await seed(async (path, init) => server.app.fetch(new Request(env.publicUrl + path, init)))
  await server.stop()
  await postgres.stop()
}

await main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof StartError ? error.message : error)
    process.exit(1)
  },
)
