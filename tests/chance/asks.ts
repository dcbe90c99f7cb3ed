import type { PlanId } from '#config/plans.ts'
import type { CallInput, CallName } from '#contract/calls.ts'
import * as fc from 'fast-check'
import { billingDetails } from '../../operate/seed/billing-details.ts'
import { billingInfo, reasonOf, type Answer } from '../world.ts'
import type { Project } from './books.ts'
import { type Name, type Somebody, type Stage, type Way } from './stage.ts'

/** A call about a project. `done` is our row afterwards, if it succeeds and no other call runs. */
export type Ask = {
  says: string
  ask: (stage: Stage, project: string, way: Way) => Promise<Answer<CallName>>
  done?: Partial<Project>
}

type Purchase = { who: Name; plan: string; card: string | undefined }

const buyers = fc.constantFrom<Name>('Ann', 'Ann', 'Ben')
const mostlyTheOwner = fc.oneof(
  { weight: 12, arbitrary: fc.constant<Somebody>('the owner') },
  { weight: 1, arbitrary: fc.constantFrom<Somebody>('Ann', 'Ben', 'Cleo', 'Olaf') },
)
const cards = {
  pm_card_visa: 'a card that pays',
  pm_card_chargeDeclined: 'a card that is declined at once',
  pm_card_chargeCustomerFail: 'a card that is declined when charged',
  pm_card_authenticationRequired: 'a card whose bank always asks',
  pm_card_authenticationRequiredOnSetup: 'a card whose bank asks once',
}
const card = fc.constantFrom<keyof typeof cards>(
  'pm_card_visa',
  'pm_card_visa',
  'pm_card_visa',
  ...(Object.keys(cards) as (keyof typeof cards)[]),
)
const wanted = ['pro', 'enterprise', 'free']
const plan = fc.constantFrom(...wanted, ...wanted, 'gold', 'diamond')
const ordinals = ['first', 'second', 'third'] as const
const ordinal = fc.constantFrom(...ordinals)

/** A purchase of a new project. */
export const purchase = fc
  .record<Purchase>({
    who: buyers,
    plan: fc.constantFrom('free', 'pro', 'enterprise', 'pro', 'gold'),
    card: fc.option(card, { nil: undefined, freq: 8 }),
  })
  .map(({ who, plan, card }): Ask & { who: Name } => ({
    who,
    says: `${who} starts a project on ${plan}${withCard(card)}`,
    ask: (stage, _, way) =>
      stage.ask(who, 'createSubscription', { planId: plan, ...billing(card) }, way),
  }))

const change = fc
  .record({
    who: mostlyTheOwner,
    plan,
    card: fc.option(card, { nil: undefined }),
    fits: fc.constantFrom(true, true, true, false),
  })
  .map(({ who, plan, card, fits }): Ask => ({
    ...aboutProject(
      `${who} changes it to ${plan}${fits ? `, if it is free now${withCard(card ?? 'pm_card_visa')}` : withCard(card)}`,
      who,
      'changeSubscriptionPlan',
      async (subscriptionId, stage) => {
        const fitting = () => cardThatFits(stage, subscriptionId, plan, card ?? 'pm_card_visa')
        return { subscriptionId, planId: plan, ...billing(fits ? await fitting() : card) }
      },
    ),
    // No `payment`: a repeated change gets its old answer even if a later week is unpaid.
    done: { plan: plan as PlanId, status: 'active', nextPlan: null },
  }))

/** A change with a quote from an earlier preview, perhaps an old one or one used already. */
const changeAsShown = fc
  .record({ who: mostlyTheOwner, which: fc.nat(9) })
  .map(({ who, which }): Ask => ({
    says: `${who} changes it as preview ${which + 1} of it showed`,
    async ask(stage, subscriptionId, way) {
      const kept = stage.quotes.filter((quote) => quote.subscriptionId === subscriptionId)
      const wish = kept[which % (kept.length || 1)] ?? {
        subscriptionId,
        planId: 'pro',
        quote: 'none',
      }
      return stage.ask(await stage.whoIs(who, subscriptionId), 'changeSubscriptionPlan', wish, way)
    },
  }))

const cancel = fc
  .record({ who: mostlyTheOwner, right: fc.boolean() })
  .map(({ who, right }): Ask => ({
    ...aboutProject(
      right ? `${who} cancels it` : `${who} types something else than its id to cancel it`,
      who,
      'cancelSubscription',
      (id) => ({ subscriptionId: id, confirmationId: right ? id : id.toUpperCase() }),
    ),
    ...(right && { done: { status: 'canceled' } }),
  }))

const addCard = fc.record({ who: mostlyTheOwner, card }).map(({ who, card }): Ask => ({
  says: `${who} adds ${cards[card]}`,
  async ask(stage, subscriptionId, way) {
    const name = await stage.whoIs(who, subscriptionId)
    const asked = await stage.ask(name, 'createSetupIntent', { subscriptionId }, way)
    if (asked.result) await stage.world.confirmCard(asked.result.clientSecret, card)
    return asked
  },
}))

const preferCard = fc
  .record({ who: mostlyTheOwner, which: ordinal })
  .map(({ who, which }) =>
    withCardOf(`${who} makes its ${which} card the default`, who, which, 'setDefaultPaymentMethod'),
  )

const removeCard = fc
  .record({ who: mostlyTheOwner, which: ordinal })
  .map(({ who, which }) =>
    withCardOf(`${who} removes its ${which} card`, who, which, 'deletePaymentMethod'),
  )

const pay = fc
  .record({ who: mostlyTheOwner, which: fc.option(ordinal, { nil: undefined }) })
  .map(({ who, which }) =>
    which
      ? withCardOf(`${who} pays what is overdue with its ${which} card`, who, which, 'payInvoice')
      : aboutProject(`${who} pays what is overdue`, who, 'payInvoice', onlyId),
  )

const receiver = fc.constantFrom<Name>('Ann', 'Ben', 'Ben', 'Cleo')

const transfer = fc
  .record({ who: mostlyTheOwner, to: receiver, keepCard: fc.boolean() })
  .map(({ who, to, keepCard }) =>
    aboutProject(
      `${who} transfers it to ${to}${keepCard ? ' and keeps the card' : ''}`,
      who,
      'transferSubscriptionOwnership',
      async (subscriptionId, stage) => {
        const { uid: newOwnerId } = await stage.as(to)
        return { subscriptionId, newOwnerId, keepCard }
      },
    ),
  )

const invite = fc
  .record({ who: fc.constantFrom<Somebody>('the owner', 'Ben', 'Cleo'), guest: fc.nat(4) })
  .map(({ who, guest }) => {
    const email = guest === 0 ? 'olaf@example.com' : `guest${guest}@example.com`
    const says = `${who} invites ${guest === 0 ? 'Olaf' : `guest ${guest}`}`
    return aboutProject(says, who, 'createInvite', (subscriptionId) => ({
      subscriptionId,
      email,
      permissions: [],
    }))
  })

const answerInvite = fc
  .constantFrom<'acceptInvite' | 'rejectInvite'>('acceptInvite', 'acceptInvite', 'rejectInvite')
  .map((call): Ask => ({
    says: `Olaf ${call === 'acceptInvite' ? 'accepts' : 'rejects'} his invitation`,
    async ask(stage, subscriptionId, way) {
      const { result } = await stage.ask('Olaf', 'listInvites', {}, { server: way.server })
      const own = result!.invites.find((invite) => invite.subscription_id === subscriptionId)
      return stage.ask('Olaf', call, { inviteId: own?.id ?? 'none' }, way)
    },
  }))

const completePayment = fc.constant(
  aboutProject('the owner says that the payment is made', 'the owner', 'completePayment', onlyId),
)

const preview = fc.record({ who: mostlyTheOwner, plan }).map(({ who, plan }): Ask => ({
  says: `${who} asks what ${plan} would cost`,
  async ask(stage, subscriptionId, way) {
    const wish = { subscriptionId, planId: plan }
    const name = await stage.whoIs(who, subscriptionId)
    const answer = await stage.ask(name, 'previewPlanChange', wish, way)
    const quote = answer.result?.quote
    if (quote !== undefined) stage.quotes.push({ ...wish, quote })
    return answer
  },
}))

const details = mostlyTheOwner.map((who) =>
  aboutProject(`${who} updates the billing details`, who, 'updateBillingDetails', (id) => ({
    subscriptionId: id,
    ...billingDetails,
    billing_email: 'billing@example.com',
  })),
)

/** A call about an existing project. */
export const ask: fc.Arbitrary<Ask> = fc.oneof(
  { weight: 12, arbitrary: change },
  { weight: 2, arbitrary: cancel },
  { weight: 3, arbitrary: addCard },
  { weight: 4, arbitrary: preferCard },
  { weight: 2, arbitrary: removeCard },
  { weight: 3, arbitrary: pay },
  { weight: 2, arbitrary: completePayment },
  { weight: 2, arbitrary: transfer },
  { weight: 4, arbitrary: invite },
  { weight: 2, arbitrary: answerInvite },
  { weight: 4, arbitrary: preview },
  { weight: 4, arbitrary: changeAsShown },
  { weight: 1, arbitrary: details },
)

/** A call about an existing project. `the owner` is the person who owns it at that moment. */
function aboutProject<Name extends CallName>(
  says: string,
  who: Somebody,
  call: Name,
  inputOf: (subscriptionId: string, stage: Stage) => CallInput<Name> | Promise<CallInput<Name>>,
): Ask {
  return {
    says,
    async ask(stage, id, way) {
      const name = await stage.whoIs(who, id)
      return stage.ask(name, call, await inputOf(id, stage), way)
    },
  }
}

function onlyId(subscriptionId: string) {
  return { subscriptionId }
}

function billing(card: string | undefined) {
  return card === undefined ? {} : { billingInfo: billingInfo(card) }
}

function withCard(card: string | undefined) {
  return card === undefined ? '' : ` with ${cards[card as keyof typeof cards]}`
}

/** Returns the card only for a free project: no other project needs one to change its plan. */
async function cardThatFits({ pool }: Stage, subscriptionId: string, plan: string, card: string) {
  const { rowCount } = await pool.query(
    `select from subscriptions where id = $1 and plan_id = 'free'`,
    [subscriptionId],
  )
  return rowCount && plan !== 'free' ? card : undefined
}

function withCardOf(
  says: string,
  who: Somebody,
  which: (typeof ordinals)[number],
  call: 'setDefaultPaymentMethod' | 'deletePaymentMethod' | 'payInvoice',
): Ask {
  return {
    says,
    async ask(stage, subscriptionId, way) {
      const name = await stage.whoIs(who, subscriptionId)
      const { server } = way
      const listed = await stage.ask(name, 'getPaymentMethods', { subscriptionId }, { server })
      const cards = listed.result?.paymentMethods ?? []
      const card = cards[ordinals.indexOf(which) % (cards.length || 1)]
      const input = { subscriptionId, paymentMethodId: card?.id ?? 'pm_none' }
      return stage.ask(name, call, input, way)
    },
  }
}

/** The answer in words: the reason of a refusal, a bank that asks, or `done`. */
export function inWords(answer: Answer<CallName>) {
  const waits =
    answer.result &&
    'clientSecret' in answer.result &&
    String(answer.result.clientSecret).startsWith('pi_')
  return reasonOf(answer) ?? (waits ? 'the bank asks' : 'done')
}
