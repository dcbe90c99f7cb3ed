import { plans, type Plan } from '#config/plans.ts'
import { lengthOf, pricesOf } from '#contract/prices.ts'
import { adminPermissions, permissionEntries } from '#contract/access.ts'
import { setTimeout as delay } from 'node:timers/promises'
import {
  addressOf,
  aPerson,
  aProject,
  invites,
  joins,
  Refused,
  signIn,
  type Ask,
  type Person,
} from './people.ts'
import { bankOf } from './cards.ts'
import { loadExamples } from './examples.ts'

export const dan = addressOf('Dan Díaz')
export const ann = addressOf('Ann Archer')
/** Nina has just signed up and has only an empty project. */
export const nina = addressOf('Nina Novak')
/** Omar has just signed up and has no project. */
export const omar = addressOf('Omar Ortiz')

const team = [
  'Bob Baker',
  'Carla Cruz',
  'Dan Díaz',
  'Eve Engel',
  'Farid Haddad',
  'Grace Okafor',
  'Hiro Tanaka',
  'Ines Moreau',
  'Jonas Lindqvist',
  '王小明',
  'Zofia Nowak',
]

const day = 24 * 3600
const offered: Plan[] = plans.filter(({ legacy }) => !legacy)
const paid = offered.find(({ free }) => !free) ?? offered[0]!
const free = offered.find((plan) => plan.free) ?? paid
const [price] = pricesOf(paid)
/** Twelve weeks, or what comes nearest in the periods that the team pays for, at least one. */
const periodDays = price ? lengthOf(price) : 7
const periods = Math.max(1, Math.floor((12 * 7) / periodDays))
/** Seconds until the card of one project fails, and from there until today, after a renewal. */
const untilCardFails = Math.round((periods * periodDays - 4) * day)
const untilToday = 6 * day
/** How long the team has worked, in seconds. */
export const lasting = untilCardFails + untilToday

const legacy: Plan | undefined = plans.find((plan) => plan.legacy && !plan.free)
const lesser = permissionEntries
  .filter(([, { admin, default: isDefault }]) => !admin && !isDefault)
  .map(([key]) => key)

type Time = {
  /** Goes back to where the team's time begins. */
  begin?: () => Promise<unknown>
  pass: (seconds: number) => Promise<unknown>
}

/** A team that has worked for some weeks. What exists already stays as it is. */
export async function playWorld(ask: Ask, time: Time) {
  const bank = bankOf(ask)
  const people = ['Ann Archer', ...team, 'Nina Novak', 'Omar Ortiz']
  const [ann, bob, ...others] = await Promise.all(people.map((name) => aPerson(ask, name)))
  const nina = others.at(-2)!
  const visa = () => bank.aCard('4242424242424242', '12/2034')
  const freeCard = free.free ? undefined : visa

  const isNew = !(await hasProject(ann!, 'Bridge renewal'))
  if (isNew) await time.begin?.()
  const busy = await aProject(ann!, 'Bridge renewal', paid.id, paid.free ? undefined : visa)
  await joins(bob!, ann!, busy, adminPermissions)
  for (const [index, other] of others.slice(0, -2).entries())
    await joins(other, ann!, busy, index % 3 === 0 ? lesser : [])
  if (isNew) await invites(ann!, expired, busy, [])
  const overdue = await aProject(ann!, 'Harbour lights', paid.id, paid.free ? undefined : visa)
  await joins(others[0]!, ann!, overdue, lesser)
  const ferry = await aProject(ann!, 'Old ferry line', paid.id, paid.free ? undefined : visa)
  const ended = await aProject(ann!, 'Night market', free.id, freeCard)
  const harbour = await aProject(bob!, 'Harbour study', free.id, freeCard)
  await joins(ann!, bob!, harbour, lesser)
  const empty = await aProject(nina, 'First steps', free.id, freeCard)
  const market = await aProject(bob!, 'Market hall', free.id, freeCard)

  const againAnn = () => signIn(ask, ann!.name)
  if (isNew) {
    if (legacy && !paid.free) {
      await bank.changePrice(ferry, legacy.priceIds[0]!)
      await until(async () => (await planOf(ann!, ferry)) === legacy.id)
    }
    await ann!.call('cancelSubscription', { subscriptionId: ended, confirmationId: ended })
    await time.pass(untilCardFails)
    if (!paid.free) {
      const annNow = await againAnn()
      const failing = await bank.aCard('4000000000000341', '12/2034')
      await bank.addCard(annNow, overdue, failing)
      await cardsOf(annNow, overdue, 2)
      await recorded(annNow, overdue, '0341')
      const card = { subscriptionId: overdue, paymentMethodId: failing }
      await annNow.call('setDefaultPaymentMethod', card)
    }
    await time.pass(untilToday)
  }

  const [annNow, bobNow] = await Promise.all([againAnn(), signIn(ask, bob!.name)])
  if (isNew && !paid.free) {
    await until(async () => (await invoicesOf(annNow, busy)).total > periods)
    await until(async () => {
      const { subscription } = await annNow.call('getSubscription', { subscriptionId: overdue })
      return subscription.payment !== 'ok'
    })
    await bank.addCard(annNow, busy, await bank.aCard('5555555555554444', '08/2032'))
    await cardsOf(annNow, busy, 2)
    await recorded(annNow, busy, '4444')
  }
  const kim = { email: 'kim.park@example.com', name: 'Kim Park' }
  await invites(annNow, kim, busy, lesser)
  await invites(annNow, { email: 'lena.vogel@example.com' }, busy, [])
  await invites(bobNow, { email: annNow.email }, market, adminPermissions)
  const [carla, farid] = [await signIn(ask, others[0]!.name), await signIn(ask, others[3]!.name)]
  const editors = [annNow.call, carla.call, farid.call]
  for (const { seed } of await loadExamples()) await seed?.(busy, editors).catch(ifFull)
  return { ann: annNow, busy, overdue, ended, empty, legacy: ferry, isNew }
}

/** A plan may allow fewer examples than there are. */
function ifFull(error: unknown) {
  if (!(error instanceof Refused) || error.reason !== 'limitReached') throw error
}

/** Invited when that time began. */
export const expired = { email: 'marta.rossi@example.com', name: 'Marta Rossi' }

async function hasProject({ call }: Person, name: string) {
  const { subscriptions } = await call('listSubscriptions', {})
  return subscriptions.some(({ settings }) => settings['name'] === name)
}

async function planOf({ call }: Person, subscriptionId: string) {
  return (await call('getSubscription', { subscriptionId })).subscription.plan_id
}

export function invoicesOf({ call }: Person, subscriptionId: string) {
  return call('listInvoices', { subscriptionId })
}

/** The webhook that records a card in the activity comes later than the card. */
function recorded({ call }: Person, subscriptionId: string, last4: string) {
  return until(async () => {
    const { activity } = await call('listActivity', { subscriptionId })
    return activity.some(({ details }) => details['last4'] === last4)
  })
}

function cardsOf({ call }: Person, subscriptionId: string, count: number) {
  return until(async () => {
    const { paymentMethods } = await call('getPaymentMethods', { subscriptionId })
    return paymentMethods.length >= count
  })
}

async function until(isSo: () => Promise<boolean>) {
  while (!(await isSo())) await delay(50)
}
