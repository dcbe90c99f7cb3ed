import type { rateLimits } from '#config/limits.ts'
import type { AuthUser } from '#contract/entities.ts'
import { ownerPermissions, withDefault } from '#contract/access.ts'
import type { PermissionKey } from '#config/permissions.ts'
import type { PlanId } from '#config/plans.ts'
import { signInProviders } from '#config/sign-in-providers.ts'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { pino } from 'pino'
import { expect, onTestFinished } from 'vitest'
import { openServer } from '../server/open-server.ts'
import { readEnv } from '../server/running/env.ts'
import { mailboxKey } from '../server/core/mailboxes.ts'
import { limitReached } from '../server/core/rate-limits.ts'
import { newId } from '../server/platform/ids.ts'
import { newKey } from '../server/platform/secrets.ts'
import { bankAt } from './bank.ts'
import { aDatabase } from './database.ts'
import { asksBy, callsTo, personWith, type Person, type SendRequest } from './person.ts'
import { validatingFetch } from '@local/sandbox/testing'

export { billingInfo, countOutcomes, reasonOf, type Answer, type Person } from './person.ts'

type KeptMail = Record<'to' | 'subject' | 'text' | 'html' | 'at', string> & { links: string[] }

/** Enables every provider. A test then configures the ones that it needs. */
export const everyProvider = Object.fromEntries(
  Object.keys(signInProviders).map((name) => [name, { enabled: true }]),
)

export const publicUrl = 'http://localhost:3000'
export const webhookSecret = 'whsec_of_all_the_tests'
export const secretKey = newKey()
const password = 'correct horse'

/** An interface, for the reason of `Person`. */
export interface World extends Awaited<ReturnType<typeof openWorld>> {}

/** Opens a server on a new database, with helpers for its requests, clock, mail and bank. */
export async function aWorld(
  environment: Record<string, string> = {},
  log = pino({ level: 'silent' }),
) {
  const { connection, pool, url } = await aDatabase()
  return { ...(await openWorld(connection, environment, log)), pool, url }
}

/** Opens a world with people of these names. */
export async function aWorldWith<Names extends string[]>(...names: Names) {
  const world = await aWorld()
  return [world, ...(await world.somePeople(...names))] as const
}

/** Opens a world with Ann, who has not verified her address yet. */
export async function aNewcomer() {
  const world = await aWorld()
  return { world, ann: await world.aPerson('ann', { verified: false }) }
}

/** Opens a world with a project. */
export async function aProject<Names extends string = never>(options?: ProjectOptions<Names>) {
  const world = await aWorld()
  return { world, ...(await world.aProject(options)) }
}

/** A log that keeps its lines. */
export function aLog(level: 'trace' | 'info' | 'warn' | 'error') {
  const lines: string[] = []
  return { lines, log: pino({ level }, { write: (line) => void lines.push(line) }) }
}

/** Opens a server on a database. Two servers on one database are two instances of the product. */
export async function openWorld(
  connection: pg.PoolConfig,
  environment: Record<string, string> = {},
  log = pino({ level: 'silent' }),
  direct = connection,
) {
  let ahead = 0
  const violations: string[] = []
  const env = readEnv({
    PUBLIC_URL: publicUrl,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    SECRET_KEY: secretKey,
    LOG_LEVEL: 'silent',
    ...environment,
  })
  // The crontab would follow the real clock: at some minutes its jobs would disturb a test.
  const server = await openServer({
    env,
    connection,
    direct,
    log,
    now: () => new Date(Date.now() + ahead),
    enabled: everyProvider,
    scheduled: false,
    wire: (fetch) => validatingFetch(fetch, violations) as typeof fetch,
  })
  const { services } = server
  const { store, now } = services
  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= server.stop())
  onTestFinished(async () => {
    await stop()
    expect(violations).toEqual([])
  })

  const request: SendRequest = async (path, init) =>
    server.app.fetch(new Request(publicUrl + path, init))

  const call = callsTo(request)
  const asks = asksBy(call)

  /** The provider's address to which our address of an invoice redirects. */
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

  /** The code in the newest mail. Mails about a sign-in don't count: they come at any time. */
  async function mailedCode(to: string) {
    const mail = (await mails(to)).find(({ subject }) => !subject.startsWith('New sign-in'))
    const query = new URL(mail!.links[0]!).searchParams
    return query.get('oobCode') ?? query.get('code')!
  }

  const signUp = (name: string) =>
    call('signUp', { fullName: name, email: `${name}@example.com`, password })

  async function aPerson(name = 'ann', { verified = true }: { verified?: boolean } = {}) {
    const signedUp = await signUp(name)
    expect(signedUp).toMatchObject({ status: 200 })
    const { user, token } = signedUp.result!
    const newcomer = person(user, token, signedUp.headers.getSetCookie())
    if (verified) await openMail(user.email, newcomer)
    return newcomer
  }

  function person(user: AuthUser, token: string, cookies: string[]): Person {
    const session = { ...user, token, password, cookie: cookieHeader(cookies) }
    return personWith(session, (name, data, headers = {}) => call(name, data, { token, headers }))
  }

  /** Signs a person in again, which makes another session with another cookie. */
  async function signedIn({ email, password }: { email: string; password: string }) {
    const { headers, result } = await signIn({ email, password })
    return person(result!.user, result!.token, headers.getSetCookie())
  }

  const signIn = ({ email, password }: { email: string; password: string }) =>
    call('signIn', { email, password })

  const refresh = (cookie: string) => call('refreshSession', {}, { headers: { cookie } })

  /** Opens the link in the newest mail to an address, signed in as `by` or signed out. */
  const openMail = async (to: string, by?: Person) =>
    asks.does('applyActionCode', { oobCode: await mailedCode(to) }, by)

  /** Requests a password reset and returns the code of the mailed link. */
  async function resetCode(email: string) {
    await asks.does('sendPasswordResetEmail', { email })
    return mailedCode(email)
  }

  /** Changes a person's address by the link that is mailed to the new one. */
  async function move(person: Person, newEmail: string) {
    await person.does('updateEmail', { newEmail })
    await openMail(newEmail, person)
  }

  async function somePeople<Names extends string[]>(...names: Names) {
    const people = []
    for (const name of names) people.push(await aPerson(name))
    return people as { [Index in keyof Names]: Person }
  }

  /** Counts this many tries against a rate limit. */
  async function useUp(limit: keyof typeof rateLimits, key: string, tries: number) {
    for (let index = 0; index < tries; index++)
      await limitReached(services.rateLimits.consume([limit, key]))
  }

  // addMember, link and addMembers write rows straight into the store.
  async function addMember(
    subscriptionId: string,
    { uid }: Pick<AuthUser, 'uid'>,
    permissions: PermissionKey[] = [],
  ) {
    const member = { subscriptionId, userId: uid, permissions: withDefault(permissions) }
    await store.members.add({ ...member, now: now() })
  }

  const link = ({ uid }: Person, provider = 'google') =>
    store.providerLinks.add({ provider, subject: 's', userId: uid, email: null, now: new Date() })

  /** Adds members who never make a call. */
  async function addMembers(subscriptionId: string, count: number) {
    for (let index = 0; index < count; index++) {
      const id = newId()
      const member = { id, email: `${id}@example.com`, displayName: `Member ${index}` }
      await store.users.add({
        ...member,
        emailVerified: true,
        claimed: true,
        language: null,
        now: now(),
      })
      await addMember(subscriptionId, { uid: id })
    }
  }

  /** Makes a project with an owner, silent members, and people with the given permissions. */
  async function aProject<Names extends string = never>({
    plan = 'free',
    members = 0,
    people = {} as Record<Names, PermissionKey[]>,
  }: ProjectOptions<Names> = {}) {
    const owner = await aPerson('owner')
    const id = newId()
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

  const { moveClock, ...bank } = bankAt(request)

  /** Moves the payment provider's clock and waits until every resulting job is done. */
  async function passAtProvider(seconds: number) {
    const now = await moveClock(seconds)
    await untilWorkedOff()
    return now
  }

  /** Waits until no job is left. Jobs run by themselves. */
  async function untilWorkedOff() {
    while (await services.jobs.isBusy()) await delay(10)
  }

  return {
    ...server,
    ...bank,
    connection,
    stop,
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
    /** The key under which mails to an address count. */
    mailbox: (email: string) => mailboxKey(email, services),
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

/** The cookie header that a browser would send back. */
export function cookieHeader(setCookies: string[]) {
  return setCookies.map((cookie) => cookie.split(';')[0]).join('; ')
}

/** Runs `act` this many times in parallel; each run gets its index. */
export function inParallel<T>(count: number, act: (index: number) => Promise<T> | T) {
  return Promise.all(Array.from({ length: count }, (_, index) => act(index)))
}
