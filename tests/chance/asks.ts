import type { PlanId } from '#config/plans.ts'
import type { CallInput, CallName } from '#contract/calls.ts'
import * as fc from 'fast-check'
import { reasonOf, type Answer } from '../world.ts'
import type { Project } from './books.ts'
import { aBillingInfo, type Name, type Somebody, type Stage, type Way } from './stage.ts'

/** A call about a project. `done`: how our row must be if this call alone was made and succeeded. */
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
const plan = fc.constantFrom(
  'pro',
  'enterprise',
  'free',
  'pro',
  'enterprise',
  'free',
  'gold',
  'diamond',
)
const ordinal = fc.constantFrom('first', 'second', 'third')

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
    says: `${who} changes it to ${plan}${fits ? `, if it is free now${withCard(card ?? 'pm_card_visa')}` : withCard(card)}`,
    async ask(stage, subscriptionId, way) {
      const name = await stage.whoIs(who, subscriptionId)
      const given = fits
        ? await cardThatFits(stage, subscriptionId, plan, card ?? 'pm_card_visa')
        : card
      return stage.ask(
        name,
        'changeSubscriptionPlan',
        { subscriptionId, planId: plan, ...billing(given) },
        way,
      )
    },
    // Without `payment`: repeating a change of weeks ago succeeds, though the last week may be owed.
    done: { plan: plan as PlanId, status: 'active', nextPlan: null },
  }))

const cancel = fc
  .record({ who: mostlyTheOwner, right: fc.boolean() })
  .map(({ who, right }): Ask => ({
    says: right ? `${who} cancels it` : `${who} types something else than its id to cancel it`,
    ask: async (stage, subscriptionId, way) =>
      stage.ask(
        await stage.whoIs(who, subscriptionId),
        'cancelSubscription',
        { subscriptionId, confirmationId: right ? subscriptionId : subscriptionId.toUpperCase() },
        way,
      ),
    ...(right && { done: { status: 'canceled' } }),
  }))

const addCard = fc.record({ who: mostlyTheOwner, card }).map(({ who, card }): Ask => ({
  says: `${who} adds ${cards[card]}`,
  async ask(stage, subscriptionId, way) {
    const asked = await stage.ask(
      await stage.whoIs(who, subscriptionId),
      'createSetupIntent',
      { subscriptionId },
      way,
    )
    if (asked.result) await stage.world.confirmCard(asked.result.clientSecret, card)
    return asked
  },
}))

const preferCard = fc
  .record({ who: mostlyTheOwner, which: ordinal })
  .map(({ who, which }): Ask => ({
    says: `${who} makes its ${which} card the default`,
    ask: (stage, subscriptionId, way) =>
      withCardOf(stage, { who, which, subscriptionId, way, call: 'setDefaultPaymentMethod' }),
  }))

const removeCard = fc
  .record({ who: mostlyTheOwner, which: ordinal })
  .map(({ who, which }): Ask => ({
    says: `${who} removes its ${which} card`,
    ask: (stage, subscriptionId, way) =>
      withCardOf(stage, { who, which, subscriptionId, way, call: 'deletePaymentMethod' }),
  }))

const pay = fc
  .record({ who: mostlyTheOwner, which: fc.option(ordinal, { nil: undefined }) })
  .map(({ who, which }): Ask => ({
    says: `${who} pays what is overdue${which ? ` with its ${which} card` : ''}`,
    ask: async (stage, subscriptionId, way) =>
      which
        ? withCardOf(stage, { who, which, subscriptionId, way, call: 'payInvoice' })
        : stage.ask(await stage.whoIs(who, subscriptionId), 'payInvoice', { subscriptionId }, way),
  }))

const receiver = fc.constantFrom<Name>('Ann', 'Ben', 'Ben', 'Cleo')

const transfer = fc
  .record({ who: mostlyTheOwner, to: receiver, keepCard: fc.boolean() })
  .map(({ who, to, keepCard }): Ask => ({
    says: `${who} transfers it to ${to}${keepCard ? ' and keeps the card' : ''}`,
    ask: async (stage, subscriptionId, way) =>
      stage.ask(
        await stage.whoIs(who, subscriptionId),
        'transferSubscriptionOwnership',
        { subscriptionId, newOwnerId: (await stage.as(to)).uid, keepCard },
        way,
      ),
  }))

const invite = fc
  .record({ who: fc.constantFrom<Somebody>('the owner', 'Ben', 'Cleo'), guest: fc.nat(4) })
  .map(({ who, guest }): Ask => ({
    says: `${who} invites ${guest === 0 ? 'Olaf' : `guest ${guest}`}`,
    ask: async (stage, subscriptionId, way) =>
      stage.ask(
        await stage.whoIs(who, subscriptionId),
        'createInvite',
        {
          subscriptionId,
          email: guest === 0 ? 'olaf@example.com' : `guest${guest}@example.com`,
          permissions: [],
        },
        way,
      ),
  }))

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

const completePayment = simple('the owner', 'says that the payment is made', 'completePayment')
const preview = fc.record({ who: mostlyTheOwner, plan }).map(({ who, plan }): Ask => ({
  says: `${who} asks what ${plan} would cost`,
  ask: async (stage, subscriptionId, way) =>
    stage.ask(
      await stage.whoIs(who, subscriptionId),
      'previewPlanChange',
      { subscriptionId, planId: plan },
      way,
    ),
}))

const details = mostlyTheOwner.map((who): Ask => ({
  says: `${who} updates the billing details`,
  ask: async (stage, subscriptionId, way) => {
    const { billingDetails } = aBillingInfo('')
    return stage.ask(
      await stage.whoIs(who, subscriptionId),
      'updateBillingDetails',
      { subscriptionId, ...billingDetails, billing_email: 'billing@example.com' },
      way,
    )
  },
}))

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
  { weight: 2, arbitrary: preview },
  { weight: 1, arbitrary: details },
)

function simple(who: Somebody, says: string, call: 'completePayment'): fc.Arbitrary<Ask> {
  return fc.constant({
    says: `${who} ${says}`,
    ask: async (stage, subscriptionId, way) =>
      stage.ask(await stage.whoIs(who, subscriptionId), call, { subscriptionId }, way),
  })
}

function billing(card: string | undefined) {
  return card === undefined ? {} : { billingInfo: aBillingInfo(card) }
}

function withCard(card: string | undefined) {
  return card === undefined ? '' : ` with ${cards[card as keyof typeof cards]}`
}

/** Only a free project needs a card to change its plan. */
async function cardThatFits({ pool }: Stage, subscriptionId: string, plan: string, card: string) {
  const { rowCount } = await pool.query(
    `select from subscriptions where id = $1 and plan_id = 'free'`,
    [subscriptionId],
  )
  return rowCount && plan !== 'free' ? card : undefined
}

type OfCard = {
  who: Somebody
  which: 'first' | 'second' | 'third'
  subscriptionId: string
  way: Way
  call: 'setDefaultPaymentMethod' | 'deletePaymentMethod' | 'payInvoice'
}

async function withCardOf(stage: Stage, { who, which, subscriptionId, way, call }: OfCard) {
  const name = await stage.whoIs(who, subscriptionId)
  const listed = await stage.ask(
    name,
    'getPaymentMethods',
    { subscriptionId },
    { server: way.server },
  )
  const cards = listed.result?.paymentMethods ?? []
  const paymentMethodId =
    cards[['first', 'second', 'third'].indexOf(which) % (cards.length || 1)]?.id ?? 'pm_none'
  return stage.ask(
    name,
    call,
    { subscriptionId, paymentMethodId } satisfies CallInput<typeof call>,
    way,
  )
}

/** The reason of a refusal, or what else came of the call. */
export function inWords(answer: Answer<CallName>) {
  const waits =
    answer.result &&
    'clientSecret' in answer.result &&
    String(answer.result.clientSecret).startsWith('pi_')
  return reasonOf(answer) ?? (waits ? 'the bank asks' : 'done')
}
