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
import { exitWith } from '../start/announce.ts'
import { openPostgres } from '../store/postgres/open-postgres.ts'

type Ask = (path: string, init?: RequestInit) => Promise<Response>

type Answer<Result> = { result?: Result; error?: RefusalBody }
type Call = ReturnType<typeof callWith>
type Person = { name: string; email: string; call: Call }

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
  const bridge = await aProject(ann!, 'Bridge renewal', paid)
  const harbour = await aProject(bob!, 'Harbour study', free)
  await aProject(ann!, 'Old ferry line', free)
  await join(bridge, ann!, bob!, adminPermissions)
  await join(bridge, ann!, carla!, lesser)
  await join(harbour, bob!, dan!, [])
  await invite(harbour, bob!, ann!, lesser)
  await invite(bridge, ann!, eve!, [])
}

async function aPerson(ask: Ask, name: string): Promise<Person> {
  const email = addressOf(name)
  const call = callWith(ask)
  const { result: signedUp } = await call('signUp', { fullName: name, email, password })
  if (signedUp) must(await call('applyActionCode', { oobCode: await untilMailed(ask, email) }))
  const { token } = signedUp ?? must(await call('signIn', { email, password }))
  return { name, email, call: callWith(ask, token) }
}

function addressOf(name: string) {
  return `${name.split(' ')[0]!.toLowerCase()}@example.com`
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

async function aProject({ call }: Person, name: string, plan: Plan) {
  const { subscriptions } = must(await call('listSubscriptions', {}))
  const known = subscriptions.find(({ settings }) => settings['name'] === name)
  if (known) return known.id
  const billingInfo = plan.free
    ? {}
    : { billingInfo: { billingDetails, paymentMethodId: 'pm_card_visa' } }
  const { subscriptionId } = must(
    await call('createSubscription', { planId: plan.id, ...billingInfo }),
  )
  must(await call('updateSubscriptionSettings', { subscriptionId, settings: { name } }))
  return subscriptionId
}

async function join(id: string, host: Person, guest: Person, permissions: PermissionKey[]) {
  const inviteId = await invite(id, host, guest, permissions)
  if (inviteId) must(await guest.call('acceptInvite', { inviteId }))
}

/** Undefined if the guest is invited or a member already. */
async function invite(
  subscriptionId: string,
  host: Person,
  { email, name }: Person,
  permissions: PermissionKey[],
) {
  const answer = await host.call('createInvite', { subscriptionId, email, name, permissions })
  return answer.error?.status === 'ALREADY_EXISTS' ? undefined : must(answer).inviteId
}

function callWith(ask: Ask, token?: string) {
  const headers = {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  return async <Name extends CallName>(name: Name, data: CallInput<Name>) => {
    const body = JSON.stringify({ data })
    const response = await ask(`/api/${name}`, { method: 'POST', headers, body })
    return (await response.json()) as Answer<CallOutput<Name>>
  }
}

function must<Result>({ result, error }: Answer<Result>) {
  if (!result) throw new StartError(`The examples could not be made: ${error?.message}`)
  return result
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
    `Example people: ${people.map(addressOf).join(', ')}; everybody's password is "${password}".`,
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

await main().catch(exitWith)
process.exit(0)
