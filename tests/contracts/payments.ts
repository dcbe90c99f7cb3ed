import { languages, type LanguageCode } from '#config/languages.ts'
import type { Price } from '#contract/prices.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { expectRefused, refusalOf } from '../refusal-of.ts'
import { billingDetails as plain } from '../../operate/seed/billing-details.ts'
import { newId, type ProviderSubscriptionId } from '../../server/platform/ids.ts'
import type { NewProviderSubscription, Payments } from '../../server/providers/payments/payments.ts'

/** Weekly. `priceId` is its name in the configuration. */
export type NamedPrice = Price & { priceId: string }
export type Opened = { payments: Payments; cheap: NamedPrice; dear: NamedPrice }

const week = 7 * 24 * 3600
const billingDetails = { ...plain, address: { ...plain.address, line2: 'Floor 2' } }

/** What every `Payments` must do, as far as a test sees it without a browser and within a week. */
export function paymentsContract(name: string, open: () => Promise<Opened>) {
  describe(`${name}, as Payments`, () => {
    describe('customers', () => {
      test('a repeated attempt creates one customer; a new attempt creates another', async () => {
        const { aCustomer } = await aHouse()
        const asked = { subscriptionId: newId(), attempt: newId() }
        const { customerId } = await aCustomer(asked)
        expect((await aCustomer(asked)).customerId).toBe(customerId)
        expect((await aCustomer({ ...asked, attempt: newId() })).customerId).not.toBe(customerId)
      })

      test('billing details are stored, and missing lines of an address are emptied', async () => {
        const { payments, aCustomer } = await aHouse()
        const { customerId } = await aCustomer()
        await payments.updateCustomer(customerId, billingDetails)
        expect(await payments.findBillingDetails(customerId)).toEqual({
          ...billingDetails,
          tax_id: null,
          credit: 0,
        })
        const { line2: _, ...address } = billingDetails.address
        await payments.updateCustomer(customerId, { address })
        expect(await payments.findBillingDetails(customerId)).toEqual({
          ...billingDetails,
          address,
          tax_id: null,
          credit: 0,
        })
      })

      test('a customer can have every language of the product', async () => {
        const { payments, aCustomer } = await aHouse()
        const { customerId } = await aCustomer()
        for (const language of Object.keys(languages) as LanguageCode[])
          await expect(payments.updateCustomer(customerId, { language })).resolves.toBeUndefined()
      })

      test('a tax id is set, replaced and removed; a wrong one is refused and leaves the old one', async () => {
        const { payments, aCustomer } = await aHouse()
        const { customerId } = await aCustomer()
        const taxId = async () => (await payments.findBillingDetails(customerId))?.tax_id
        const german = { type: 'eu_vat', value: 'DE123456789' } as const
        for (const _ of ['once', 'again']) await payments.setTaxId(customerId, german)
        expect(await taxId()).toEqual(german)
        await expectRefused(
          payments.setTaxId(customerId, { type: 'eu_vat', value: 'nonsense' }),
          'taxIdInvalid',
        )
        expect(await taxId()).toEqual(german)
        await payments.setTaxId(customerId, { type: 'gb_vat', value: 'GB123456789' })
        expect(await taxId()).toEqual({ type: 'gb_vat', value: 'GB123456789' })
        await payments.setTaxId(customerId, null)
        expect(await taxId()).toBeNull()
      })

      test('removing a customer ends its subscription, and can be repeated', async () => {
        const { payments, aPlan, now, cheap } = await aHouse()
        const plan = await aPlan(cheap)
        for (const _ of ['once', 'again']) await payments.removeCustomer(plan.customerId)
        expect(await now(plan)).toMatchObject({ state: 'ended' })
      })
    })

    describe('starting a subscription', () => {
      test('charges what its preview says; then it is found by id, by customer and in the list', async () => {
        const { payments, aCustomer, start, now, cheap } = await aHouse()
        const customer = await aCustomer()
        const { customerId, subscriptionId } = customer
        const { priceId, currency } = cheap
        const preview = await payments.previewStart({ customerId, priceId, currency })
        const ofAnybody = await payments.previewStart({
          priceId,
          currency,
          address: { country: 'DE', postal_code: '20457' },
        })
        expect({ ...preview, until: 0 }).toEqual({ ...ofAnybody, until: 0 })
        expect(preview).toMatchObject({
          recurring: { amount: cheap.amount, currency, frequency: 'week', every: 1 },
          total: cheap.amount,
          due: cheap.amount,
          lines: [{ kind: 'period', priceId: cheap.priceId, amount: cheap.amount }],
        })
        const plan = await start(customer, 'pm_card_visa')
        expect(plan).toMatchObject({
          subscriptionId,
          customerId,
          priceId: cheap.priceId,
          state: 'active',
          payment: 'ok',
          isChanging: false,
          invoice: {
            status: 'paid',
            total: cheap.amount,
            currency: preview.currency,
            amount_paid: cheap.amount,
          },
        })
        expect([plan.clientSecret, plan.declineCode, plan.ended]).toEqual([
          undefined,
          undefined,
          undefined,
        ])
        expect(Math.abs(plan.renews - plan.invoice!.created - week)).toBeLessThan(60)
        expect(await now(plan)).toEqual(plan)
        expect(await payments.findNewestProviderSubscription(customerId)).toEqual(plan)
        expect(await payments.findInvoice(plan.invoice!.id)).toEqual({
          invoice: plan.invoice,
          subscriptionId,
          providerSubscriptionId: plan.id,
        })
        const url = expect.stringMatching(/^http/) as string
        expect(await payments.findInvoiceLinks(plan.invoice!.id)).toEqual({ page: url, pdf: url })
        expect(await isLive(payments, plan.id)).toBe(true)
      })

      test('twice with the same attempt starts one subscription', async () => {
        const { payments, aCustomer, start } = await aHouse()
        const customer = await aCustomer()
        const attempt = newId()
        const plan = await start(customer, 'pm_card_visa', { attempt })
        expect(await start(customer, 'pm_card_visa', { attempt })).toMatchObject({ id: plan.id })
        expect(await payments.listCards(customer.customerId)).toHaveLength(1)
      })

      test.each([
        ['pm_card_visa_chargeDeclined', 'generic_decline'],
        ['pm_card_visa_chargeDeclinedInsufficientFunds', 'insufficient_funds'],
        ['pm_card_chargeDeclinedExpiredCard', 'expired_card'],
        ['pm_card_chargeDeclinedIncorrectCvc', 'incorrect_cvc'],
        ['pm_card_chargeDeclinedProcessingError', 'processing_error'],
      ])('with %s is refused with %s and leaves nothing behind', async (card, declineCode) => {
        const { payments, aCustomer, start } = await aHouse()
        const customer = await aCustomer()
        expect(await refusalOf(start(customer, card))).toMatchObject({
          reason: 'cardDeclined',
          details: { declineCode },
        })
        expect(await payments.findNewestProviderSubscription(customer.customerId)).toBeUndefined()
        expect(await payments.listCards(customer.customerId)).toEqual([])
      })

      test('with a card that is declined when charged leaves it unpaid, and another card pays it', async () => {
        const { payments, aCustomer, keepCard, start, now, prefer } = await aHouse()
        const customer = await aCustomer()
        const visa = await keepCard(customer, 'pm_card_visa')
        const plan = await start(customer, 'pm_card_chargeCustomerFail')
        expect(plan).toMatchObject({
          state: 'unpaid',
          declineCode: 'generic_decline',
          invoice: { status: 'open' },
        })
        expect(plan.clientSecret).toBeUndefined()
        await expectRefused(payments.payInvoice(plan.id), 'cardDeclined')
        expect(await payments.previewPayment(plan.id)).toMatchObject({
          declined: { id: plan.newCard, card: { brand: 'visa', last4: '0341' } },
        })
        await prefer(plan, visa)
        await payments.payInvoice(plan.id)
        expect(await now(plan)).toMatchObject({
          state: 'active',
          payment: 'ok',
          invoice: { status: 'paid' },
        })
      })

      test('with a card that needs 3-D Secure gives a client secret; after its end nothing is owed', async () => {
        const { payments, aPlan, cheap } = await aHouse()
        const plan = await aPlan(cheap, 'pm_card_authenticationRequired')
        expect(plan).toMatchObject({
          state: 'unpaid',
          clientSecret: expect.stringContaining('_secret_'),
          invoice: { status: 'open' },
        })
        expect(plan.declineCode).toBeUndefined()
        expect(await payments.previewPayment(plan.id)).toMatchObject({ declined: null })
        expect(await payments.endProviderSubscription(plan.id)).toMatchObject({ state: 'ended' })
        expect((await payments.findInvoice(plan.invoice!.id))!.invoice.status).toBe('void')
        expect(await isLive(payments, plan.id)).toBe(false)
      })

      test('with the card of another customer is refused', async () => {
        const { payments, aCustomer, keepCard, start } = await aHouse()
        const [ann, bob] = [await aCustomer(), await aCustomer()]
        const card = await keepCard(ann, 'pm_card_visa')
        for (const foreign of [card, 'pm_none'])
          await expectRefused(start(bob, foreign), 'paymentMethodNotFound')
        expect(await payments.findNewestProviderSubscription(bob.customerId)).toBeUndefined()
      })
    })

    describe('changing a subscription', () => {
      test('to a dearer price charges what its preview says, once per attempt', async () => {
        const { aPlan, cheap, dear, previewChange, change } = await aHouse()
        const plan = await aPlan(cheap)
        const preview = await previewChange(plan, dear)
        expect(
          preview.lines
            .toSorted((a, b) => a.amount - b.amount)
            .map(({ kind, priceId }) => [kind, priceId]),
        ).toEqual([
          ['unused', cheap.priceId],
          ['remaining', dear.priceId],
        ])
        const attempt = newId()
        const changed = await change(plan, dear, attempt)
        expect(changed).toMatchObject({
          priceId: dear.priceId,
          isChanging: false,
          payment: 'ok',
          invoice: { status: 'paid', total: preview.total },
        })
        expect(preview).toMatchObject({
          total: dear.amount - cheap.amount,
          due: dear.amount - cheap.amount,
        })
        expect((await change(plan, dear, attempt)).invoice).toEqual(changed.invoice)
      })

      test('to a cheaper price gives the credit its preview says, which pays later changes', async () => {
        const { payments, aPlan, cheap, dear, previewChange, change } = await aHouse()
        const plan = await aPlan(dear)
        const preview = await previewChange(plan, cheap)
        expect(preview).toMatchObject({ total: cheap.amount - dear.amount, due: 0 })
        const changed = await change(plan, cheap)
        expect(changed).toMatchObject({
          priceId: cheap.priceId,
          payment: 'ok',
          invoice: { total: preview.total },
        })
        expect(await payments.findBillingDetails(changed.customerId)).toMatchObject({
          credit: -preview.total,
        })
        expect(await previewChange(plan, dear)).toMatchObject({ total: -preview.total, due: 0 })
      })

      test.each([
        ['pm_card_chargeCustomerFail', { declineCode: 'generic_decline' }],
        [
          'pm_card_authenticationRequired',
          { clientSecret: expect.stringContaining('_secret_') as string },
        ],
      ])(
        'with %s waits for its payment, and dropping the change leaves no trace',
        async (card, waiting) => {
          const { payments, aCustomer, keepCard, start, now, prefer, cheap, dear, change } =
            await aHouse()
          const customer = await aCustomer()
          const cardId = await keepCard(customer, card)
          const plan = await start(customer, 'pm_card_visa')
          await prefer(plan, cardId)
          const changed = await change(plan, dear)
          expect(changed).toMatchObject({
            priceId: cheap.priceId,
            state: 'active',
            isChanging: true,
            invoice: { status: 'open' },
            ...waiting,
          })
          for (const _ of ['once', 'again']) await payments.dropPendingPayment(plan.id)
          expect(await now(plan)).toMatchObject({
            priceId: cheap.priceId,
            state: 'active',
            payment: 'ok',
            isChanging: false,
          })
          expect((await payments.findInvoice(changed.invoice!.id))!.invoice.status).toBe('void')
        },
      )
    })

    describe('ending a subscription', () => {
      test('without another plan gives no credit, and can be repeated', async () => {
        const { payments, aPlan, cheap } = await aHouse()
        const plan = await aPlan(cheap)
        const ended = { state: 'ended', ended: { because: 'asked' }, invoice: plan.invoice }
        for (const _ of ['once', 'again'])
          expect(await payments.endProviderSubscription(plan.id)).toMatchObject(ended)
        expect(
          await payments.previewStart({ ...cheap, customerId: plan.customerId }),
        ).toMatchObject({ due: cheap.amount })
      })

      test('for a free plan gives credit for the rest of the week, as its preview says', async () => {
        const { payments, aPlan, cheap } = await aHouse()
        const { id: providerSubscriptionId, customerId } = await aPlan(cheap)
        const preview = await payments.previewEnd(providerSubscriptionId)
        expect(preview).toMatchObject({
          total: -cheap.amount,
          due: 0,
          lines: [{ kind: 'unused', priceId: cheap.priceId }],
        })
        const ended = await payments.endProviderSubscription(providerSubscriptionId, {
          changedTo: 'free',
        })
        expect(ended).toMatchObject({
          state: 'ended',
          ended: { because: 'changed', changedTo: 'free' },
        })
        expect(await payments.previewStart({ ...cheap, customerId })).toMatchObject({
          total: cheap.amount,
          due: 0,
        })
      })
    })

    describe('cards', () => {
      test('are listed with the default first; the default can be changed, and the former one removed', async () => {
        const { payments, aCustomer, keepCard, start, prefer, removeCard } = await aHouse()
        const customer = await aCustomer()
        const { customerId } = customer
        const visa = await keepCard(customer, 'pm_card_visa')
        const plan = await start(customer, 'pm_card_mastercard')
        await prefer(plan, plan.newCard!)
        const shown = async () =>
          (await payments.listCards(customerId)).map(({ isDefault, card }) => [
            card.brand,
            card.last4,
            isDefault,
          ])
        expect(await shown()).toEqual([
          ['mastercard', '4444', true],
          ['visa', '4242', false],
        ])
        await prefer(plan, visa)
        expect(await shown()).toEqual([
          ['visa', '4242', true],
          ['mastercard', '4444', false],
        ])
        const mastercard = (await payments.listCards(customerId))[1]!.id
        await removeCard(plan, mastercard)
        expect(await shown()).toEqual([['visa', '4242', true]])
        expect(await payments.findCard(visa)).toMatchObject({
          customerId,
          card: { card: { brand: 'visa', last4: '4242' } },
        })
        expect(await payments.findCard(mastercard)).toBeUndefined()
        await expectRefused(removeCard(plan, mastercard), 'paymentMethodNotFound')
      })

      test('can be removed even if a subscription uses them', async () => {
        const { payments, aPlan, now, removeCard, cheap } = await aHouse()
        const plan = await aPlan(cheap)
        const [visa] = await payments.listCards(plan.customerId)
        expect(await now(plan)).toMatchObject({ hasCard: true })
        await removeCard(plan, visa!.id)
        expect(await now(plan)).toMatchObject({ hasCard: false, state: 'active' })
        expect(await payments.listCards(plan.customerId)).toEqual([])
      })

      test('that are still being added can be canceled, more than once', async () => {
        const { payments, aCustomer } = await aHouse()
        const { customerId } = await aCustomer()
        await payments.createCardSetup({ customerId, addedBy: newId() })
        for (const _ of ['once', 'again'])
          await expect(payments.cancelCardSetups(customerId)).resolves.toBeUndefined()
      })

      test('of another customer, and unknown cards, are not found', async () => {
        const { aCustomer, aPlan, keepCard, prefer, removeCard, cheap } = await aHouse()
        const foreign = await keepCard(await aCustomer(), 'pm_card_visa')
        const plan = await aPlan(cheap)
        for (const card of [foreign, 'pm_none'])
          for (const act of [prefer, removeCard])
            await expectRefused(act(plan, card), 'paymentMethodNotFound')
      })

      test('are added in the browser with a client secret', async () => {
        const { payments, aCustomer } = await aHouse()
        const { customerId } = await aCustomer()
        expect(await payments.createCardSetup({ customerId, addedBy: newId() })).toMatch(
          /^seti_\w+_secret_\w+$/,
        )
        expect(await payments.listCards(customerId)).toEqual([])
      })
    })

    test('a subscription can be adopted for another project, with the invoices of before', async () => {
      const { payments, aPlan, now, cheap } = await aHouse()
      const plan = await aPlan(cheap)
      const subscriptionId = newId()
      for (const _ of ['once', 'again'])
        await payments.adoptProviderSubscription({ id: plan.id, subscriptionId })
      expect(await now(plan)).toEqual({ ...plan, subscriptionId })
      const invoices = []
      for await (const { id } of payments.listInvoices({ of: plan.id })) invoices.push(id)
      expect(invoices).toEqual([plan.invoice!.id])
    })

    test('paying a paid invoice changes nothing', async () => {
      const { payments, aPlan, now, cheap } = await aHouse()
      const plan = await aPlan(cheap)
      await payments.payInvoice(plan.id).catch(() => undefined)
      expect(await now(plan)).toEqual(plan)
    })

    test('undelivered events can be asked for by all types that the product handles', async () => {
      const { payments } = await aHouse()
      const events = payments.listUndeliveredEvents({ pageSize: 1 })
      for await (const { type } of events) expect(type).toMatch(/^[a-z_]+\.[a-z_.]+$/)
    })

    test('looking up an unknown id gives undefined', async () => {
      const { payments } = await aHouse()
      const found = [
        await payments.findProviderSubscription('sub_none' as ProviderSubscriptionId),
        await payments.findInvoice('in_none'),
        await payments.findCard('pm_none'),
      ]
      expect(found).toEqual([undefined, undefined, undefined])
    })
  })

  async function aHouse() {
    const { payments, cheap, dear } = await open()

    async function aCustomer(
      { subscriptionId, attempt } = { subscriptionId: newId(), attempt: newId() },
    ) {
      const customerId = await payments.createCustomer({ subscriptionId, attempt })
      onTestFinished(() => payments.removeCustomer(customerId))
      return { subscriptionId, customerId }
    }
    type Customer = Awaited<ReturnType<typeof aCustomer>>
    type Plan = Awaited<ReturnType<typeof start>>

    function start(
      customer: Customer,
      paymentMethodId: string,
      changed: Partial<NewProviderSubscription> = {},
    ) {
      return payments.startProviderSubscription({
        ...customer,
        paymentMethodId,
        priceId: cheap.priceId,
        currency: cheap.currency,
        attempt: newId(),
        ...changed,
      })
    }

    /** Saves a card without a browser: starts a plan with it and ends that plan at once. */
    async function keepCard(customer: Customer, testId: string) {
      const plan = await start(customer, testId)
      await payments.endProviderSubscription(plan.id)
      return (await payments.listCards(customer.customerId))[0]!.id
    }

    const aPlan = async ({ priceId }: NamedPrice, card = 'pm_card_visa') =>
      start(await aCustomer(), card, { priceId })

    /** What the provider says of a plan now. */
    const now = ({ id }: Plan) => payments.findProviderSubscription(id)
    const previewChange = ({ id }: Plan, { priceId }: NamedPrice) =>
      payments.previewChange({ providerSubscriptionId: id, priceId })
    const change = ({ id }: Plan, { priceId }: NamedPrice, attempt = newId()) =>
      payments.changeProviderSubscription({ providerSubscriptionId: id, priceId, attempt })
    const prefer = ({ id, customerId }: Plan, cardId: string) =>
      payments.setDefaultCard({ customerId, providerSubscriptionId: id, cardId })
    const removeCard = ({ id, customerId }: Plan, cardId: string) =>
      payments.removeCard({ customerId, providerSubscriptionId: id, cardId })

    const ofPlans = { aPlan, now, previewChange, change, prefer, removeCard }
    return { payments, cheap, dear, aCustomer, start, keepCard, ...ofPlans }
  }
}

async function isLive(payments: Payments, providerSubscriptionId: string) {
  for await (const { id } of payments.listLiveProviderSubscriptions())
    if (id === providerSubscriptionId) return true
  return false
}
