// @module-tag slow
import { pino } from 'pino'
import type { PlanChangePreview } from '#contract/entities.ts'
import { plans, type Plan, type PlanId } from '#config/plans.ts'
import { currenciesOf, pricesOf } from '#contract/prices.ts'
import { changeTiming } from '#contract/timing.ts'
import { expect, test } from 'vitest'
import { aDashboard } from '../a-billed-project.ts'
import { aWorld, billingInfo, reasonOf } from '../world.ts'

const day = 24 * 3600
const walks = Number(process.env['WALKS'] ?? 8)
const good = 'pm_card_visa'
const sold = (plans as readonly Plan[]).filter(({ free, legacy }) => !free && !legacy)

test.each(Array.from({ length: walks }, (_, index) => index + 1))(
  'in two years of chance, every charge of project %i is the one that was shown',
  { timeout: 180_000 },
  async (seed) => walk(chance(seed)),
)

/** Buys, changes, ends, takes back and lets time pass; compares what was shown with what came. */
async function walk(random: ReturnType<typeof chance>) {
  const errors: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void errors.push(line) })
  const world = await aWorld({}, log)
  const told: string[] = []
  let owner = await world.aPerson('owner')
  const first = random.of(sold)
  const price = random.of(pricesOf(first))
  const currency = random.of(currenciesOf(price))
  const used = new Set<string>()
  await makeCodes(world)
  const chosen = { planId: first.id, price: { ...intervalOf(price), currency } }
  const wish = await withCode(chosen, currency, (wish) => owner.call('previewSubscription', wish))
  const { preview } = await owner.does('previewSubscription', wish)
  const trial = preview.trial_ends !== null && random.below(3) > 0
  const isWithoutCard = trial && first.trial?.card === 'later' && random.below(2) > 0
  let card = isWithoutCard ? undefined : aCard(trial)
  const shown = await owner.does('previewSubscription', { ...wish, trial })
  const paid = { ...wish, trial, billingInfo: billingInfo(card) }
  const { subscriptionId } = await owner.does('createSubscription', paid)
  told.push(`${trial ? `tries, with ${card},` : 'buys'} ${JSON.stringify(wish)}`)
  // Too many for the free plan.
  const isCrowd = isWithoutCard && random.below(2) > 0
  if (isCrowd) await world.addMembers(subscriptionId, 11)
  const project = () => owner.project(subscriptionId)
  const invoices = async () =>
    (await owner.does('listInvoices', { subscriptionId, pageSize: 100 })).invoices
  expect((await invoices())[0]!.amount_paid).toBe(shown.preview.due)

  function aCard(trial: boolean) {
    return trial && random.below(3) === 0 ? 'pm_card_chargeCustomerFail' : good
  }

  const deeds = [pass, pass, pass, change, change, endLater, takeBack, takeBack, transfer]
  let now = await world.passAtProvider(1)
  const ends = now + 2 * 365 * day
  try {
    while (now < ends && (await project()).status === 'active') await random.of(deeds)()
    await world.untilWorkedOff()
    expect(errors).toEqual([])
  } catch (error) {
    throw new Error(`${told.join('\n')}\n${(error as Error).message}`, { cause: error })
  }

  /** Lets time pass until shortly before, or shortly after, the next period begins, or less. */
  async function pass() {
    const { renews, next_plan: next, ends, trial_ends: trial, look_only: over } = await project()
    if (over) return goOnAfterTrial()
    const shown = await owner.does('getBillingDetails', { subscriptionId })
    const before = (await invoices()).length
    const most = renews === null ? 60 * day : Math.max(1, renews - now)
    const seconds = random.of([
      Math.ceil(most / 2),
      Math.max(1, most - 3600),
      ...(most > 120 * day ? [] : [most + 2 * 3600]),
    ])
    told.push(`${Math.round(seconds / 3600)} hours pass`)
    now = await world.passAtProvider(seconds)
    const after = await invoices()
    if (renews === null || now < renews + 3600) {
      expect(after).toHaveLength(before)
      return
    }
    const present = await project()
    if (trial !== null && card !== good) return endTrial(before)
    if (ends !== null) {
      expect([present.status, after.length]).toEqual(['canceled', before])
      return
    }
    if (next) {
      expect(present).toMatchObject({ plan_id: next.plan_id, price: next.price, next_plan: null })
      expect(after).toHaveLength(before + (next.price ? 1 : 0))
    } else {
      expect(after).toHaveLength(before + 1)
    }
    if (present.price) expect(after[0]!.amount_paid).toBe(shown.next!.due)
    expect(present.payment).toBe('ok')
  }

  /** A trial without a card charges nothing. A declined card is replaced by one that pays. */
  async function endTrial(before: number) {
    const present = await project()
    told.push(`the trial ends with ${card}`)
    if (card === undefined) {
      expect(await invoices()).toHaveLength(before)
      const stays = { access: 'lookOnly', price: expect.any(Object) }
      expect(present).toMatchObject(isCrowd ? stays : { plan_id: 'free', trial_ends: null })
      return
    }
    expect(present).toMatchObject({ payment: 'past_due', look_only: null })
    await pay()
  }

  async function goOnAfterTrial() {
    if (random.below(3) === 0) {
      told.push('lets the project end')
      now = await world.passAtProvider(31 * day)
      expect((await project()).status).toBe('canceled')
      return
    }
    told.push('starts it again')
    await pay()
  }

  /** Pays what is shown with a new card. */
  async function pay() {
    card = good
    const paymentMethodId = await world.addCard(owner, subscriptionId, good)
    const { owed } = await owner.does('previewPayment', { subscriptionId })
    await owner.does('payInvoice', { subscriptionId, paymentMethodId })
    expect(await project()).toMatchObject({ payment: 'ok', look_only: null, trial_ends: null })
    expect((await invoices())[0]!.amount_paid).toBe(owed!.due)
  }

  async function change() {
    const { plan_id, price: own, currency, trial_ends, look_only: over } = await project()
    const to = random.of(plans.filter(({ legacy }) => !legacy) as readonly Plan[])
    const price = to.free ? undefined : random.of(pricesOf(to))
    if ((to.free && isCrowd) || over) return
    const isSold = !price || currenciesOf(price).some((code) => code === currency)
    const isSame = own && price && own.frequency === price.frequency && own.every === price.every
    if (!isSold || (to.id === plan_id && (!price || isSame))) return
    const chosen = {
      subscriptionId,
      planId: to.id,
      ...(price && { price: intervalOf(price) }),
    }
    const isBought = own === null && price
    const wish = isBought
      ? await withCode(chosen, currency, (wish) => owner.call('previewPlanChange', wish))
      : chosen
    const at = random.of(['now', undefined] as const)
    const { preview, quote } = await owner.does('previewPlanChange', { ...wish, at })
    told.push(`changes ${JSON.stringify(wish)} ${at ?? ''}`)
    const before = await invoices()
    const trial = preview.trial_ends !== null
    if (own === null) card = aCard(trial)
    const buys = own === null && { trial, billingInfo: billingInfo(card) }
    await owner.does('changeSubscriptionPlan', { ...wish, at, quote, ...buys })
    const present = await project()
    if (preview.starts !== 'now') {
      expect(own && changeTiming({ price: own, trial_ends }, preview.recurring)).toBe('choice')
      expect(present).toMatchObject({
        plan_id,
        next_plan: { plan_id: to.id as PlanId, price: preview.recurring, at: preview.starts },
      })
      expect(await invoices()).toHaveLength(before.length)
      return
    }
    expect(present).toMatchObject({ plan_id: to.id, price: preview.recurring, next_plan: null })
    const [newest] = await invoices()
    const isCharged = newest !== undefined && newest.id !== before[0]?.id
    expect(isCharged ? newest.amount_paid : 0).toBe(preview.due)
    if (preview.recurring) expectClose(present.renews, preview)
  }

  /** The wish with a code, unless the preview refuses that as it must. */
  async function withCode<Wish extends object>(
    wish: Wish,
    currency: string | null,
    preview: (wish: Wish & { promotionCode: string }) => Promise<Parameters<typeof reasonOf>[0]>,
  ) {
    const promotionCode = random.of([...codes, undefined, undefined])
    if (promotionCode === undefined) return wish
    const use = `${owner.uid} ${promotionCode}`
    const isOther = promotionCode === 'AMOUNT' && currency !== 'usd' && currency !== 'eur'
    const reason =
      promotionCode === 'OVER'
        ? 'promotionEnded'
        : isOther
          ? 'promotionOtherCurrency'
          : used.has(use)
            ? 'promotionUsed'
            : undefined
    const asked = { ...wish, promotionCode }
    expect(reasonOf(await preview(asked)), promotionCode).toBe(reason)
    if (reason !== undefined) return wish
    used.add(use)
    return asked
  }

  async function endLater() {
    const { price, ends, next_plan: next, trial_ends } = await project()
    if (!price || trial_ends !== null) return
    told.push(`ends later${next ? ' in place of a change' : ''}${ends ? ' again' : ''}`)
    await owner.does('cancelSubscription', {
      subscriptionId,
      confirmationId: subscriptionId,
      at: 'periodEnd',
    })
    expect(await project()).toMatchObject({ ends_by: 'owner', next_plan: null, status: 'active' })
  }

  async function takeBack() {
    const { ends_by: by, next_plan: next } = await project()
    told.push('takes back')
    const call = by === 'owner' ? 'resumeSubscription' : 'undoPlanChange'
    const answer = await owner.call(call, { subscriptionId })
    if (by !== 'owner' && !next) expect(answer.error!.details!.reason).toBe('nothingToUndo')
    expect(await project()).toMatchObject({ ends: null, next_plan: null })
  }

  async function transfer() {
    if (random.below(4) > 0) return
    const heir = await world.aPerson(`heir${told.length}`)
    await world.addMember(subscriptionId, heir, ['access', 'admin'])
    told.push('transfers')
    await owner.does('transferSubscriptionOwnership', {
      subscriptionId,
      newOwnerId: heir.uid,
      keepCard: true,
    })
    await heir.does('acceptOwnership', { subscriptionId })
    owner = heir
    await world.payWith(owner, subscriptionId, good)
    card = good
    expect((await project()).next_plan).toBeNull()
  }
}

const codes = ['ONCE', 'MONTHS', 'ALWAYS', 'AMOUNT', 'OVER'] as const

async function makeCodes(world: Awaited<ReturnType<typeof aWorld>>) {
  const { stripe } = await aDashboard(world)
  const inEuros = { eur: { amount_off: 4_50 } }
  const coupons = {
    ONCE: { percent_off: 25 },
    MONTHS: { percent_off: 10, duration: 'repeating', duration_in_months: 5 },
    ALWAYS: { percent_off: 7.5, duration: 'forever' },
    AMOUNT: { amount_off: 5_00, currency: 'usd', currency_options: inEuros, duration: 'forever' },
    OVER: { percent_off: 50 },
  } as const
  for (const code of codes) {
    const { id } = await stripe.coupons.create(coupons[code])
    const promotion = { type: 'coupon', coupon: id } as const
    await stripe.promotionCodes.create({ promotion, code, active: code !== 'OVER' })
  }
}

function intervalOf({ frequency, every }: ReturnType<typeof pricesOf>[number]) {
  return { frequency, every }
}

function expectClose(renews: number | null, { next_charge: shown }: PlanChangePreview) {
  expect(Math.abs(renews! - shown!)).toBeLessThan(60)
}

/** The same choices for the same seed. */
function chance(seed: number) {
  let state = seed * 2_654_435_761
  function below(most: number) {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return Math.floor((state / 2 ** 32) * most)
  }
  return { below, of: <Item>(items: readonly Item[]): Item => items[below(items.length)]! }
}
