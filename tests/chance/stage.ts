import type { CallInput, CallName } from '#contract/calls.ts'
import { refusals, type Reason } from '#contract/refusals.ts'
import { pino } from 'pino'
import { expect } from 'vitest'
import { aDatabase } from '../database.ts'
import { billingInfo, openWorld, reasonOf, type Answer, type Person, type World } from '../world.ts'
import { readBooks, type Project } from './books.ts'
import { paidInvoices, whatIsPaidNoMore, whoHasNoSeat } from './rules.ts'

export type Stage = Awaited<ReturnType<typeof aStage>>
export type Name = 'Ann' | 'Ben' | 'Cleo' | 'Olaf'
/** Which of the two servers gets a call, and with which Idempotency-Key. */
export type Way = { server: 0 | 1; key?: string | undefined }
export type Somebody = Name | 'the owner'

const minutes = 60_000
const names: Name[] = ['Ann', 'Ben', 'Cleo', 'Olaf']

/**
 * Two servers on one database. Ann owns an almost full free project and a paid one; Ben is
 * an administrator of both.
 */
export async function aStage() {
  const { connection, pool, remove } = await aDatabase()
  const problems: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => problems.push(line) })
  const worlds: readonly [World, World] = [
    await openWorld(connection, {}, log),
    await openWorld(connection, {}, log),
  ]
  const [world] = worlds
  const people = new Map<Name, { person: Person; signedIn: number }>()
  const projects: string[] = []
  /** The quotes of all previews so far. */
  const quotes: { subscriptionId: string; planId: string; quote: string }[] = []
  /** The newest client secret of each project whose payment waits for its buyer. */
  const secrets = new Map<string, string>()
  /** Each repeats a call that the provider did not answer, with the same Idempotency-Key. */
  const unanswered: (() => Promise<string>)[] = []
  let time = 0
  let paid: ReadonlySet<string> = new Set()

  for (const name of names)
    people.set(name, { person: await world.aPerson(name.toLowerCase()), signedIn: 0 })

  async function as(name: Name): Promise<Person> {
    const known = people.get(name)!
    if (time - known.signedIn < 50 * minutes) return known.person
    return signIn(name)
  }

  async function signIn(name: Name): Promise<Person> {
    const { person } = people.get(name)!
    const { result } = await world.signIn(person)
    person.token = result!.token
    people.set(name, { person, signedIn: time })
    return person
  }

  /** Makes a call. Throws on an answer that no user may ever see, such as an internal error. */
  async function ask<N extends CallName>(
    who: Name,
    call: N,
    data: CallInput<N>,
    { server, key }: Way,
  ): Promise<Answer<N>> {
    const { token } = await as(who)
    const answer = await worlds[server].call(call, data, {
      token,
      headers: key === undefined ? {} : { 'idempotency-key': key },
    })
    const reason = reasonOf(answer)
    if (answer.error && (!reason || unheardOf.has(reason)))
      throw new Error(`${call} is answered ${answer.status} ${JSON.stringify(answer)}`)
    const { subscriptionId, clientSecret } = { ...data, ...answer.result } as {
      subscriptionId?: string
      clientSecret?: string
    }
    if (subscriptionId && clientSecret?.startsWith('pi_')) secrets.set(subscriptionId, clientSecret)
    return answer
  }

  async function ownerOf(projectId: string): Promise<Name> {
    const { rows } = await pool.query<{ owner_id: string }>(
      'select owner_id from subscriptions where id = $1',
      [projectId],
    )
    return names.find((name) => people.get(name)!.person.uid === rows[0]?.owner_id) ?? 'Ann'
  }

  async function countProjects() {
    const { rows } = await pool.query<{ id: string }>(
      'select id from subscriptions order by created_at, id',
    )
    projects.splice(0, projects.length, ...rows.map(({ id }) => id))
  }

  /** Checks what must be true at any moment. */
  async function look() {
    await countProjects()
    const books = await readBooks(pool)
    const wrong = [...whoHasNoSeat(books, world.services.now()), ...whatIsPaidNoMore(paid, books)]
    paid = paidInvoices(books)
    if (wrong.length > 0) throw new Error(wrong.join('\n'))
  }

  const stage = {
    pool,
    world,
    worlds,
    problems,
    quotes,
    secrets,
    unanswered,
    as,
    signIn,
    ask,
    ownerOf,
    look,
    async expectRow(id: string, should: Partial<Project>) {
      const { projects } = await readBooks(pool)
      const row = projects.find((project) => project.id === id)
      if (row) expect(row).toMatchObject(should)
    },
    /** A project by its number, from one. A number past the last project starts again. */
    project: (number: number) => projects[(number - 1) % projects.length]!,
    whoIs: async (somebody: Somebody, projectId: string) =>
      somebody === 'the owner' ? ownerOf(projectId) : somebody,
    /** Moves the servers' clocks, not the provider's. */
    pass(milliseconds: number) {
      time += milliseconds
      for (const world of worlds) world.pass(milliseconds)
    },
    async close() {
      await Promise.all(worlds.map((world) => world.stop()))
      await remove()
    },
  }
  await setUp(stage)
  return stage
}

async function setUp({
  world,
  ask,
  as,
  look,
  project,
}: Pick<Stage, 'world' | 'ask' | 'as' | 'look' | 'project'>) {
  const way = { server: 0 } as const
  await ask('Ann', 'createSubscription', { planId: 'free' }, way)
  const pro = { planId: 'pro', billingInfo: billingInfo('pm_card_visa') }
  await ask('Ann', 'createSubscription', pro, way)
  await look()
  const { store, now } = world.services
  for (const subscriptionId of [project(1), project(2)]) {
    const add = async (name: Name, permissions: ('access' | 'admin')[]) =>
      store.members.add({ subscriptionId, userId: (await as(name)).uid, permissions, now: now() })
    await add('Ben', ['access', 'admin'])
    await add('Cleo', ['access'])
  }
  await world.addMembers(project(1), 5)
  await world.addMembers(project(2), 6)
}

/** Refusals that the steps of a story can cause, beside those of the sign-in. */
const explained = new Set<Reason>([
  // A call that is made twice may read other cards the second time, so that its input differs.
  'idempotencyKeyReused',
  'ownsActiveProjects',
  'subscriptionNotFound',
  'accessDenied',
  'adminOnly',
  'ownerOnly',
  'subscriptionCanceled',
  'planNotFound',
  'planNotAvailable',
  'alreadyInvited',
  'alreadyMember',
  'seatsFull',
  'inviteNotFound',
  'inviteNotPending',
  'inviteExpired',
  'billingInfoRequired',
  'billingInfoNotWanted',
  'subscriptionIdMismatch',
  'samePlan',
  'tooManyMembers',
  'planChangeNotPaid',
  'previewOutdated',
  'billingBusy',
  'notOverdue',
  'defaultPaymentMethod',
  'notEligibleOwner',
  'paymentIncomplete',
  'cardDeclined',
  'paymentMethodNotFound',
  'paymentsUnavailable',
])

/** Refusals that no step of a story can cause. */
const unheardOf: ReadonlySet<Reason> = new Set(
  (Object.keys(refusals) as Reason[]).filter(
    (reason) => !reason.startsWith('auth/') && !explained.has(reason),
  ),
)
