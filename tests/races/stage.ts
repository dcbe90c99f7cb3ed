import type { PermissionKey } from '#config/permissions.ts'
import type { PlanId } from '#config/plans.ts'
import { adminPermissions, findPlan, ownerPermissions, withDefault } from '#contract/access.ts'
import type { CallInput, CallName } from '#contract/calls.ts'
import type { ActionCodeMode } from '#contract/entities.ts'
import type { RefusalBody } from '#contract/refusals.ts'
import { expect, onTestFinished } from 'vitest'
import { inTransaction, openDatabase } from '../../server/sql/database.ts'
import { hashPassword } from '../../server/providers/identity/passwords.ts'
import { newId, newToken } from '../../server/platform/ids.ts'
import { openStore } from '../../server/store/store.ts'
import { aDatabase } from '../database.ts'
import { reasonOf, type Answer } from '../person.ts'
import { aServer } from '../start/a-server.ts'

type Ask = <Name extends CallName>(
  name: Name,
  data: CallInput<Name>,
  idempotencyKey?: string,
) => Promise<Answer<Name>>
export type Person = { uid: string; email: string; ask: Ask }

type Invitation = { lives?: number; permissions?: PermissionKey[] }

export type Stage = Awaited<ReturnType<typeof aStage>>

/** Races by name. `may` lists the allowed outcomes, each in the order of the calls. */
export type Races<Given> = Record<
  string,
  (stage: Stage, given: Given) => Promise<{ project?: string; outcomes: unknown[]; may: string[] }>
>

const hour = 3_600_000

/** Two server processes on one database, and signed-in people who each use one of them. */
export async function aStage() {
  const { pool, url } = await aDatabase()
  const store = openStore(openDatabase(pool))
  const env = { DATABASE_URL: url, LOG_LEVEL: 'silent' }
  const servers = await Promise.all([aServer({ env }), aServer({ env })])
  await Promise.all(servers.map(({ up }) => up()))
  let turn = 0

  /** Stores a person without a sign-up: hashing hundreds of passwords would slow the races down. */
  async function aPerson(): Promise<Person> {
    const uid = newId()
    const email = `${uid}@example.com`
    await store.users.add({
      id: uid,
      email,
      emailVerified: true,
      claimed: true,
      displayName: uid,
      language: null,
      now: new Date(),
    })
    const { token } = await aSession(uid)
    const server = servers[turn++ % servers.length]!
    const ask: Ask = (name, data, key) =>
      server.call(name, data, { token, ...(key && { headers: { 'idempotency-key': key } }) })
    return { uid, email, ask }
  }

  async function aSession(uid: string) {
    const [sessionId, token, now] = [newId(), newToken(), new Date()]
    const session = {
      id: sessionId,
      userId: uid,
      startedAt: now,
      signedInAt: now,
      secondStepAt: null,
      usedAt: now,
      address: '127.0.0.1',
      userAgent: '',
      credentialsVersion: 0,
      actorName: uid,
      details: '{}',
    }
    const access = { token, kind: 'access', expiresAt: new Date(now.getTime() + hour) } as const
    // The servers' job at 17 minutes past removes sessions without a token.
    await inTransaction(pool, async (db) => {
      const { sessions } = openStore(db)
      await sessions.add(session)
      await sessions.addTokens(sessionId, [access])
    })
    return { sessionId, token }
  }

  /** Signs a person in on another device and returns the session's id. */
  async function signInAgain({ uid }: Person) {
    return (await aSession(uid)).sessionId
  }

  /** All people share one password, so that the test hashes only once. */
  const password = 'correct horse'
  const hash = await hashPassword(password, 'races')

  async function withPassword({ uid }: Person) {
    await store.users.setPassword({ userId: uid, hash })
    return password
  }

  /** Stores an action code and returns it, as if the person had read it in a mail. */
  async function aCode({ uid }: Person, mode: ActionCodeMode, email: string) {
    const [code, now] = [newToken(), new Date()]
    await store.actionCodes.add({
      code,
      userId: uid,
      mode,
      email,
      sessionId: null,
      now,
      expiresAt: new Date(now.getTime() + hour),
    })
    return code
  }

  /** Makes a call without a session. */
  const visitor: Ask = (name, data) => servers[turn++ % servers.length]!.call(name, data)

  async function aProject(owner: Person, plan: PlanId = 'free') {
    const id = newId()
    const now = new Date()
    await store.subscriptions.add({
      id,
      ownerId: owner.uid,
      planId: plan,
      status: 'active',
      permissions: ownerPermissions,
      now,
    })
    return id
  }

  async function aMember(subscriptionId: string, permissions: PermissionKey[] = []) {
    const member = await aPerson()
    await store.members.add({
      subscriptionId,
      userId: member.uid,
      permissions: withDefault(permissions),
      now: new Date(),
    })
    return member
  }

  /** Adds members who never make a call. */
  async function fill(subscriptionId: string, count: number) {
    await pool.query(
      `with crowd as (
         insert into users (id, email, email_verified, claimed, display_name, created_at, updated_at)
         select $1 || n, $1 || n || '@example.com', true, true, 'Member', now(), now() from generate_series(1, $2::int) n returning id
       )
       insert into members (subscription_id, user_id, permissions, created_at) select $1, id, '{access}', now() from crowd`,
      [subscriptionId, count],
    )
  }

  async function invite(
    subscriptionId: string,
    host: Person,
    { email }: Person,
    { lives = hour, permissions = [] }: Invitation = {},
  ) {
    const id = newId()
    const now = new Date()
    const expiresAt = new Date(now.getTime() + lives)
    await store.invites.add({
      id,
      subscriptionId,
      email,
      name: null,
      permissions: withDefault(permissions),
      hostId: host.uid,
      code: newToken(),
      now,
      expiresAt,
    })
    return id
  }

  /** Checks that the owner exists and has every permission, and that there are enough seats. */
  async function expectOrder(subscriptionId: string) {
    const project = (await store.subscriptions.find(subscriptionId))!
    expect(await store.users.find(project.owner_id)).toBeDefined()
    for (const key of ownerPermissions) expect(project.permissions[key]).toContain(project.owner_id)
    const nobody = { email: '', mailbox: '', hostId: '', undoing: [], now: new Date() }
    const { members, pending } = await store.invites.findInvitee({ subscriptionId, ...nobody })
    expect(members + pending).toBeLessThanOrEqual(findPlan(project.plan_id)!.seats)
    const { rows: withoutHost } = await pool.query(
      `select email from invites where subscription_id = $1 and status = 'pending' and not exists (
        select from members
        where subscription_id = invites.subscription_id and user_id = host_id and permissions && $2)`,
      [subscriptionId, adminPermissions],
    )
    expect(withoutHost).toEqual([])
    return project
  }

  return {
    store,
    pool,
    visitor,
    aPerson,
    signInAgain,
    withPassword,
    aCode,
    aProject,
    aMember,
    fill,
    invite,
    expectOrder,
  }
}

/** Runs each race `rounds` times, each time with what `give` returns for it. */
export async function runRaces<Given>(
  stage: Stage,
  races: Races<Given>,
  rounds: number,
  give: (name: string, round: number) => Promise<Given>,
) {
  const seen: Record<string, Record<string, number>> = {}
  onTestFinished(({ task }) => void (task.result?.state === 'fail' && console.log(seen)))
  for (const [name, race] of Object.entries(races)) {
    const counts: Record<string, number> = (seen[name] = {})
    for (let round = 0; round < rounds; round++) {
      const { project, outcomes, may } = await race(stage, await give(name, round))
      const outcome = outcomes.join(' + ')
      counts[outcome] = (counts[outcome] ?? 0) + 1
      expect(may, `${name}, round ${round}`).toContain(outcome)
      if (project) await stage.expectOrder(project)
    }
  }
  if (process.env['RACE_ROUNDS']) console.log(seen)
}

/** Runs the calls in parallel, a random one a little late: `done`, or the reason of each refusal. */
export async function together(...calls: (() => Promise<{ error?: RefusalBody }>)[]) {
  const late = Math.floor(Math.random() * calls.length)
  const answers = await Promise.all(
    calls.map(async (call, index) => {
      for (let tick = 0; index === late && tick < Math.random() * 20; tick++)
        await new Promise(setImmediate)
      return call()
    }),
  )
  return answers.map((answer) => (answer.error ? reasonOf(answer) : 'done'))
}
