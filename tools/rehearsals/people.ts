import type { CallInput, CallName, CallOutput } from '../../contract/calls.ts'
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { billingDetails } from '../../operate/seed/billing-details.ts'
import { Unanswered, type Caller, type Calls } from './calls.ts'
import type { Journal } from './journal.ts'
import { textOf } from './key.ts'
import type { Ledger } from './ledger.ts'
import type { Look } from './postgres.ts'

export type World = { calls: Calls; journal: Journal; ledger: Ledger; look: Look }
type Person = Caller & { email: string; password: string }

/** Milliseconds that somebody thinks between two calls, at most, and waits for a mail. */
const [thought, patience] = [300, 20_000]

/** A person did not get what the next step needs. */
class GivenUp extends Error {}

/** Lives of people on so many connections, until the calls are over. */
export async function runPeople(
  world: World,
  { founders, busy }: { founders: number; busy: number },
) {
  const live = async (life: (world: World) => Promise<void>) => {
    while (!world.calls.isOver())
      await life(world).catch((error: unknown) => {
        if (!(error instanceof GivenUp || error instanceof Unanswered)) throw error
      })
  }
  const lives = [...Array(founders).fill(found), ...Array(busy).fill(rename)]
  await Promise.all(lives.map(live))
}

/** Founds a project, pays for it, invites somebody, and sometimes ends it. */
async function found(world: World) {
  const owner = await signUp(world)
  const project = await create(world, owner, Math.random() < 0.5 ? 'free' : 'pro')
  await renameOnce(world, owner, project.id)
  if (project.plan === 'free') await changePlan(world, owner, project.id, 'pro')
  await verify(world, owner)
  await invite(world, owner, project.id)
  await changePlan(world, owner, project.id, 'enterprise')
  await renameOnce(world, owner, project.id)
  if (Math.random() < 0.5) await cancel(world, owner, project.id)
}

/** Renames a project again and again: somebody who waits for no mail and for no payment. */
async function rename(world: World) {
  const owner = await signUp(world)
  const { id } = await create(world, owner, 'free')
  while (!world.calls.isOver()) await renameOnce(world, owner, id)
}

async function signUp(world: World, invited?: { email: string; inviteCode: string }) {
  const email = invited?.email ?? anAddress()
  const password = 'a good secret'
  const caller = { address: aNetwork() }
  const input = { fullName: 'Ann Archer', email, password, ...invited }
  const answer = await world.calls.ask('signUp', input, caller)
  // A repeated sign-up finds the account of one whose answer was lost.
  const isThere = answer.error?.details?.reason === 'auth/email-already-in-use'
  const { token } = isThere
    ? await does(world, 'signIn', { email, password }, caller)
    : resultOf(world, 'signUp', answer)
  world.ledger.acknowledge({ kind: 'signedUp', email })
  if (invited) world.ledger.acknowledge({ kind: 'verified', email })
  return { ...caller, token, email, password }
}

async function verify(world: World, { email, ...caller }: Person) {
  const oobCode = await codeMailedTo(world, email, 'Verify%')
  const answer = await world.calls.ask('applyActionCode', { oobCode }, caller)
  // The link of a person whose answer was lost says whose address it has verified.
  if (!answer.error?.details?.['account']) resultOf(world, 'applyActionCode', answer)
  world.ledger.acknowledge({ kind: 'verified', email })
}

async function create(world: World, owner: Person, planId: 'free' | 'pro') {
  const input = { planId, ...(planId === 'pro' && { billingInfo: aCard() }) }
  const { subscriptionId: id } = await does(world, 'createSubscription', input, owner)
  world.ledger.acknowledge({ kind: 'created', project: id, owner: owner.email, plan: planId })
  return { id, plan: planId }
}

async function renameOnce(world: World, owner: Person, project: string) {
  const name = `Project ${randomUUID().slice(0, 8)}`
  const input = { subscriptionId: project, settings: { name } }
  await change(world, project, () => does(world, 'updateSubscriptionSettings', input, owner))
  world.ledger.acknowledge({ kind: 'renamed', project, name })
}

async function changePlan(
  world: World,
  owner: Person,
  project: string,
  plan: 'pro' | 'enterprise',
) {
  const paid = plan === 'pro' && { billingInfo: aCard() }
  const input = { subscriptionId: project, planId: plan, ...paid }
  await change(world, project, () => does(world, 'changeSubscriptionPlan', input, owner))
  world.ledger.acknowledge({ kind: 'planChanged', project, plan })
}

async function invite(world: World, owner: Person, project: string) {
  const email = anAddress()
  const input = { subscriptionId: project, email, permissions: ['access' as const] }
  const { inviteId } = await change(world, project, () => does(world, 'createInvite', input, owner))
  world.ledger.acknowledge({ kind: 'invited', project, inviteId, email })
  const inviteCode = await codeMailedTo(world, email, '%invites you to%')
  const guest = await signUp(world, { email, inviteCode })
  await change(world, project, () => does(world, 'acceptInvite', { inviteId }, guest))
  world.ledger.acknowledge({ kind: 'joined', project, inviteId, email })
}

async function cancel(world: World, owner: Person, project: string) {
  const input = { subscriptionId: project, confirmationId: project }
  await change(world, project, () => does(world, 'cancelSubscription', input, owner))
  world.ledger.acknowledge({ kind: 'canceled', project })
}

async function change<Result>(world: World, project: string, act: () => Promise<Result>) {
  return act().catch((error: unknown) => {
    if (error instanceof Unanswered) world.ledger.leaveOpen(project)
    throw error
  })
}

async function does<Name extends CallName>(
  world: World,
  name: Name,
  data: CallInput<Name>,
  caller: Caller,
) {
  await delay(Math.random() * thought)
  return resultOf(world, name, await world.calls.ask(name, data, caller))
}

/** No step of these lives may be refused for good. */
function resultOf<Name extends CallName>(
  { journal }: World,
  name: Name,
  { result, error }: { result?: CallOutput<Name>; error?: { details?: { reason: string } } },
) {
  if (!error) return result!
  journal.surprise(`${name}: ${error.details?.reason}`)
  throw new GivenUp()
}

/** Reads the link's code in the person's newest mail with such a subject. */
async function codeMailedTo({ look }: World, email: string, subject: string) {
  const newest = `select text from kept_mails where "to" = $1 and subject like $2 order by id desc`
  for (const end = Date.now() + patience; Date.now() < end; await delay(200)) {
    const [mail] = await look<{ text: string }>(newest, [email, subject]).catch(() => [])
    if (mail) return /[?&](?:oobCode|code)=([\w-]+)/.exec(textOf(mail.text))![1]!
  }
  throw new GivenUp()
}

function anAddress() {
  return `${randomUUID()}@example.com`
}

function aNetwork() {
  return `10.${Array.from({ length: 3 }, () => Math.floor(Math.random() * 254) + 1).join('.')}`
}

function aCard() {
  return { billingDetails, paymentMethodId: 'pm_card_visa' }
}
