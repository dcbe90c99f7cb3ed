import type { rateLimits } from '#config/limits.ts'
import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import type { AuthUser, BillingInfo } from '#contract/entities.ts'
import type { Reason, RefusalBody } from '#contract/refusals.ts'
import { defaultPermission, ownerPermissions, withDefault } from '#contract/access.ts'
import type { PermissionKey } from '#config/permissions.ts'
import type { PlanId } from '#config/plans.ts'
import { signInProviders } from '#config/sign-in-providers.ts'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { pino } from 'pino'
import { expect, onTestFinished } from 'vitest'
import { openServer } from '../server/main.ts'
import { readEnv } from '../server/start/env.ts'
import { newId } from '../server/platform/ids.ts'
import { billingDetails } from './billing-details.ts'
import { aDatabase } from './database.ts'
import { validatingFetch } from '@atrium/sandbox/testing'

export type Answer<Name extends CallName> = {
  status: number
  headers: Headers
  result?: CallOutput<Name>
  error?: RefusalBody
}
type CallOptions = { token?: string | undefined; headers?: Record<string, string> }
type KeptMail = {
  to: string
  subject: string
  text: string
  html: string
  links: string[]
  at: string
}

/** Those that a test configures are there, whatever the product as shipped has enabled. */
export const everyProvider = Object.fromEntries(
  Object.keys(signInProviders).map((name) => [name, { enabled: true }]),
)

export const publicUrl = 'http://localhost:3000'
export const webhookSecret = 'whsec_of_the_tests'
const password = 'correct horse'

/**
 * `call` gives the whole answer, `does` expects success and gives the result, `cannot` expects a
 * refusal, and `refusal` gives its reason.
 */
type Asks<Options> = {
  call: <N extends CallName>(n: N, data: CallInput<N>, options?: Options) => Promise<Answer<N>>
  does: <N extends CallName>(n: N, data: CallInput<N>, options?: Options) => Promise<CallOutput<N>>
  cannot: <N extends CallName>(
    name: N,
    data: CallInput<N>,
    reason: Reason,
    options?: Options,
  ) => Promise<void>
  refusal: <N extends CallName>(
    name: N,
    data: CallInput<N>,
    options?: Options,
  ) => Promise<Reason | undefined>
}
/** An interface, so that types worked out from it name it instead of repeating it. */
export interface Person extends ReturnType<typeof personWith> {}

function asksBy<Options>(call: Asks<Options>['call']): Asks<Options> {
  return {
    call,
    async does(name, data, options) {
      const answer = await call(name, data, options)
      expect(answer, name).toMatchObject({ status: 200 })
      return answer.result!
    },
    cannot: async (name, data, reason, options) =>
      expect(reasonOf(await call(name, data, options)), name).toBe(reason),
    refusal: async (name, data, options) => reasonOf(await call(name, data, options)),
  }
}

export type World = Awaited<ReturnType<typeof openWorld>>

/**
 * A whole server on a fresh database, asked through its front door. The test moves its time, reads
 * its mail and plays the bank.
 */
export async function aWorld(
  environment: Record<string, string> = {},
  log = pino({ level: 'silent' }),
) {
  const { connection, pool } = await aDatabase()
  return { ...(await openWorld(connection, environment, log)), connection, pool }
}

/** A world and people in it, by name. */
export async function aWorldWith<Names extends string[]>(...names: Names) {
  const world = await aWorld()
  return [world, ...(await world.somePeople(...names))] as const
}

/** A world with Ann in it, whose address is not verified yet. */
export async function aNewcomer() {
  const world = await aWorld()
  return { world, ann: await world.aPerson('ann', { verified: false }) }
}

/** A world with a project in it. */
export async function aProject<Names extends string = never>(options?: ProjectOptions<Names>) {
  const world = await aWorld()
  return { world, ...(await world.aProject(options)) }
}

/** A log and its lines. */
export function aLog(level: 'trace' | 'info' | 'warn' | 'error') {
  const lines: string[] = []
  return { lines, log: pino({ level }, { write: (line) => void lines.push(line) }) }
}

/** One more server on a database that has one, as a second instance would be. */
export async function openWorld(
  connection: pg.PoolConfig,
  environment: Record<string, string> = {},
  log = pino({ level: 'silent' }),
) {
  let ahead = 0
  const violations: string[] = []
  const env = readEnv({
    PUBLIC_URL: publicUrl,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    LOG_LEVEL: 'silent',
    ...environment,
  })
  // The crontab keeps the real time: at some minutes its jobs would run into what a test looks at.
  const server = await openServer({
    env,
    connection,
    log,
    now: () => new Date(Date.now() + ahead),
    enabled: everyProvider,
    scheduled: false,
    wire: (fetch) => validatingFetch(fetch, violations) as typeof fetch,
  })
  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= server.stop())
  onTestFinished(async () => {
    await stop()
    expect(violations).toEqual([])
  })

  const request = async (path: string, init?: RequestInit) =>
    server.app.fetch(new Request(publicUrl + path, init))

  async function call<Name extends CallName>(
    name: Name,
    data: CallInput<Name>,
    { token, headers }: CallOptions = {},
  ): Promise<Answer<Name>> {
    const response = await request(`/api/${name}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: JSON.stringify({ data }),
    })
    return {
      status: response.status,
      headers: response.headers,
      ...((await response.json()) as object),
    }
  }

  const asks = asksBy(call)

  /** Where an address of an invoice sends the browser on to, at the provider. */
  async function providerAddress(invoice: string) {
    const { status, headers } = await request(new URL(invoice).pathname)
    expect(status).toBe(302)
    const { pathname, search } = new URL(headers.get('location')!)
    return pathname + search
  }

  async function mails(to: string): Promise<KeptMail[]> {
    const response = await request(`/dev/mail.json?to=${encodeURIComponent(to)}`)
    return (await response.json()) as KeptMail[]
  }

  /** The code in the newest mail, but for mails about a sign-in, which come at any time. */
  async function mailedCode(to: string) {
    const mail = (await mails(to)).find(({ subject }) => !subject.startsWith('New sign-in'))
    const query = new URL(mail!.links[0]!).searchParams
    return query.get('oobCode') ?? query.get('code')!
  }

  const signUp = (name: string) =>
    call('signUp', { fullName: name, email: `${name}@example.com`, password })

  async function aPerson(name = 'ann', { verified = true }: { verified?: boolean } = {}) {
    const signedUp = await signUp(name)
    const { user, token } = signedUp.result!
    if (verified) await openMail(user.email)
    return person(user, token, signedUp.headers.getSetCookie())
  }

  function person(user: AuthUser, token: string, cookies: string[]): Person {
    const asks = asksBy<Record<string, string>>((name, data, headers = {}) =>
      call(name, data, { token, headers }),
    )
    return personWith({ ...user, token, password, cookie: cookieHeader(cookies) }, asks)
  }

  /** One more session of a person, with its own cookie. */
  async function signedIn({ email, password }: { email: string; password: string }) {
    const { headers, result } = await signIn({ email, password })
    return person(result!.user, result!.token, headers.getSetCookie())
  }

  const signIn = ({ email, password }: { email: string; password: string }) =>
    call('signIn', { email, password })

  const refresh = (cookie: string) => call('refreshSession', {}, { headers: { cookie } })

  /** Opens the link of the newest mail to an address, signed in as a person or not at all. */
  const openMail = async (to: string, by?: Person) =>
    asks.does('applyActionCode', { oobCode: await mailedCode(to) }, by)

  /** The code of a mailed link to set a new password. */
  async function resetCode(email: string) {
    await asks.does('sendPasswordResetEmail', { email })
    return mailedCode(email)
  }

  /** Gives a person another address, with the link that is mailed to it. */
  async function move(person: Person, newEmail: string) {
    await person.does('updateEmail', { newEmail })
    await openMail(newEmail)
  }

  async function somePeople<Names extends string[]>(...names: Names) {
    const people = []
    for (const name of names) people.push(await aPerson(name))
    return people as { [Index in keyof Names]: Person }
  }

  /** As if that many tries had been made. */
  async function useUp(limit: keyof typeof rateLimits, key: string, tries: number) {
    for (let index = 0; index < tries; index++)
      await server.services.rateLimits.increment(limit, key)
  }

  /** Put straight into the store, as the two below. */
  async function addMember(subscriptionId: string, { uid }: Person, permissions: PermissionKey[]) {
    await server.services.store.members.add({
      subscriptionId,
      userId: uid,
      permissions: withDefault(permissions),
      now: server.services.now(),
    })
  }

  const link = ({ uid }: Person, provider = 'google') =>
    server.services.store.providerLinks.add({
      provider,
      subject: 's',
      userId: uid,
      email: null,
      now: new Date(),
    })

  /** Members put straight into the store: a crowd, of which nobody acts. */
  async function addMembers(subscriptionId: string, count: number) {
    for (let index = 0; index < count; index++) {
      const id = newId()
      const now = server.services.now()
      await server.services.store.users.add({
        id,
        email: `${id}@example.com`,
        emailVerified: true,
        displayName: `Member ${index}`,
        language: null,

        now,
      })
      await server.services.store.members.add({
        subscriptionId,
        userId: id,
        permissions: [defaultPermission],
        now,
      })
    }
  }

  /** A project with its owner, more members, and people with the given permissions. */
  async function aProject<Names extends string = never>({
    plan = 'free',
    members = 0,
    people = {} as Record<Names, PermissionKey[]>,
  }: ProjectOptions<Names> = {}) {
    const owner = await aPerson('owner')
    const id = newId()
    const { store, now } = server.services
    await store.subscriptions.add({
      id,
      ownerId: owner.uid,
      planId: plan,
      status: 'active',
      permissions: ownerPermissions,
      now: now(),
    })
    const joined = {} as Record<Names, Person>
    for (const [name, permissions] of Object.entries<PermissionKey[]>(people)) {
      joined[name as Names] = await aPerson(name)
      await addMember(id, joined[name as Names], permissions)
    }
    await addMembers(id, members)
    return { id, owner, ...joined }
  }

  /** What the buyer answers when the bank asks. */
  async function answerChallenge(clientSecret: string, answer: 'succeed' | 'fail') {
    const [intent] = clientSecret.split('_secret_')
    const outcome = answer === 'succeed' ? 'complete' : 'fail'
    await request(`/sandbox/authenticate/${intent}`, {
      method: 'POST',
      body: new URLSearchParams({ client_secret: clientSecret, outcome }),
    })
  }

  /** What the owner and the browser do with a card. Its id. */
  async function addCard(person: Person, subscriptionId: string, card: string) {
    const { clientSecret } = (await person.call('createSetupIntent', { subscriptionId })).result!
    return confirmCard(clientSecret, card)
  }

  /** Adds a card and makes it the default. Its id. */
  async function payWith(person: Person, subscriptionId: string, card: string) {
    const paymentMethodId = await addCard(person, subscriptionId, card)
    await person.call('setDefaultPaymentMethod', { subscriptionId, paymentMethodId })
    return paymentMethodId
  }

  /** With the bank's question answered, if it has one. */
  async function confirmCard(clientSecret: string, card: string) {
    const response = await request(
      `/sandbox/stripe/v1/setup_intents/${clientSecret.split('_secret_')[0]}/confirm`,
      {
        method: 'POST',
        headers: { authorization: 'Bearer pk_test_sandbox' },
        body: new URLSearchParams({ client_secret: clientSecret, payment_method: card }),
      },
    )
    const intent = (await response.json()) as { status: string; payment_method: string }
    if (intent.status === 'requires_action') await answerChallenge(clientSecret, 'succeed')
    return intent.payment_method
  }

  /** Makes the sandbox fail, hold webhooks back or answer late. */
  async function control(wish: Record<string, unknown>) {
    await request('/sandbox/control', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(wish),
    })
  }

  /** Moves the payment provider's clock, and sees everything through that comes of it. */
  async function passAtProvider(seconds: number) {
    await request('/sandbox/clock', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ advanceSeconds: seconds }),
    })
    await untilWorkedOff()
  }

  /** Jobs run by themselves; this only watches. */
  async function untilWorkedOff() {
    while (await server.services.jobs.isBusy()) await delay(10)
  }

  return {
    ...server,
    stop,
    addCard,
    payWith,
    confirmCard,
    answerChallenge,
    control,
    passAtProvider,
    untilWorkedOff,
    request,
    providerAddress,
    ...asks,
    signUp,
    signIn,
    signedIn,
    refresh,
    openMail,
    resetCode,
    move,
    mails,
    mailedCode,
    aPerson,
    somePeople,
    useUp,
    aProject,
    addMember,
    addMembers,
    link,
    /** Moves the server's clock. The payment provider has its own: POST /sandbox/clock. */
    pass(milliseconds: number) {
      ahead += milliseconds
    },
  }
}

type ProjectOptions<Names extends string> = {
  plan?: PlanId
  members?: number
  people?: Record<Names, PermissionKey[]>
}

export function reasonOf(answer: { error?: RefusalBody }) {
  return answer.error?.details?.reason
}

/** How many answers had each outcome: `done`, or the reason of a refusal. */
export function countOutcomes(answers: { error?: RefusalBody }[]) {
  const counts: Record<string, number> = {}
  for (const answer of answers) {
    const outcome = reasonOf(answer) ?? 'done'
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  return counts
}

/** What a browser would send back. */
export function cookieHeader(setCookies: string[]) {
  return setCookies.map((cookie) => cookie.split(';')[0]).join('; ')
}

export function billingInfo(paymentMethodId: string): BillingInfo {
  return { billingDetails, paymentMethodId }
}

/** What people do in many tests. `starts` makes a free project, `buys` and `pays` one on pro. */
function personWith(
  session: AuthUser & { token: string; password: string; cookie: string },
  asks: Asks<Record<string, string>>,
) {
  const { call, does } = asks
  const purchase = (card: string) => ({ planId: 'pro', billingInfo: billingInfo(card) })
  return {
    ...session,
    ...asks,
    pays: (card = 'pm_card_visa', headers = {}) =>
      call('createSubscription', purchase(card), headers),
    buys: (card = 'pm_card_visa') => does('createSubscription', purchase(card)),
    cancels: (id: string) => call('cancelSubscription', { subscriptionId: id, confirmationId: id }),
    starts: () => does('createSubscription', { planId: 'free' }),
    changesPlan: (subscriptionId: string, planId: string) =>
      call('changeSubscriptionPlan', { subscriptionId, planId }),
    transfers: (subscriptionId: string, to: AuthUser) =>
      call('transferSubscriptionOwnership', { subscriptionId, newOwnerId: to.uid }),
    permits: (subscriptionId: string, member: AuthUser, permissions: PermissionKey[]) =>
      does('updateUserPermissions', { subscriptionId, userId: member.uid, permissions }),
    triesToInvite: (subscriptionId: string, email: string, permissions: PermissionKey[] = []) =>
      call('createInvite', { subscriptionId, email, permissions }),
    updatesBilling: (subscriptionId: string, details: Partial<CallInput<'updateBillingDetails'>>) =>
      call('updateBillingDetails', {
        subscriptionId,
        ...billingInfo('').billingDetails,
        ...details,
      }),
    renames: (subscriptionId: string, name: string) =>
      does('updateSubscriptionSettings', { subscriptionId, settings: { name } }),
    invites: (subscriptionId: string, email: string, permissions: PermissionKey[] = []) =>
      does('createInvite', { subscriptionId, email, permissions }),
    projects: async () => (await does('listSubscriptions', {})).subscriptions,
    project: async (subscriptionId: string) =>
      (await does('getSubscription', { subscriptionId })).subscription,
    invoices: async (subscriptionId: string) =>
      (await does('listInvoices', { subscriptionId })).invoices,
    seats: async (subscriptionId: string) =>
      (await does('getSubscriptionUsers', { subscriptionId })).seats,
    cards: async (subscriptionId: string) =>
      (await does('getPaymentMethods', { subscriptionId })).paymentMethods,
  }
}

/** Begins all at once; each gets its number. */
export function inParallel<T>(count: number, act: (index: number) => Promise<T> | T) {
  return Promise.all(Array.from({ length: count }, (_, index) => act(index)))
}
