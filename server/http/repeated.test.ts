// @module-tag slow
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { aBilledProject, customersAt } from '../../tests/a-billed-project.ts'
import { aWorld, reasonOf, type World } from '../../tests/world.ts'
import type { CallName } from '#contract/calls.ts'
import type { Reason } from '#contract/refusals.ts'

type Billed = Awaited<ReturnType<typeof aBilledProject>>
type Asked = { call: CallName; data: object; otherwise: Reason }

const asks: Record<string, (billed: Billed) => Promise<Asked>> = {
  'a cancellation': async ({ subscriptionId }) => ({
    call: 'cancelSubscription',
    data: { subscriptionId, confirmationId: subscriptionId },
    otherwise: 'subscriptionCanceled',
  }),
  'a plan change': async ({ subscriptionId }) => ({
    call: 'changeSubscriptionPlan',
    data: { subscriptionId, planId: 'enterprise' },
    otherwise: 'samePlan',
  }),
  'the removal of a card': async ({ owner, subscriptionId, world }) => ({
    call: 'deletePaymentMethod',
    data: {
      subscriptionId,
      paymentMethodId: await world.addCard(owner, subscriptionId, 'pm_card_mastercard'),
    },
    otherwise: 'paymentMethodNotFound',
  }),
  'the removal of an own card': async ({ owner, subscriptionId, world }) => {
    const paymentMethodId = await world.addCard(owner, subscriptionId, 'pm_card_mastercard')
    await untilKept(paymentMethodId, world)
    return {
      call: 'deleteOwnPaymentMethod',
      data: { subscriptionId, paymentMethodId },
      otherwise: 'paymentMethodNotFound',
    }
  },
  'a transfer': async ({ subscriptionId, world }) => {
    const ben = await world.aPerson('ben')
    await world.addMember(subscriptionId, ben, ['admin'])
    return {
      call: 'transferSubscriptionOwnership',
      data: { subscriptionId, newOwnerId: ben.uid },
      otherwise: 'ownerOnly',
    }
  },
}

/** Waits until the provider's event about an added card has been processed. */
async function untilKept(cardId: string, { services }: World) {
  while (!(await services.store.cards.has(cardId))) await delay(10)
}

test.each(Object.entries(asks))(
  '%s whose server dies before it answers is not made twice, and its person reads in the repeated answer that it is made',
  async (_, ask) => {
    const world = await aWorld()
    const billed = await aBilledProject({ world })
    const { call, data, otherwise } = await ask(billed)
    const send = (key: string) => billed.owner.call(call, data as never, { 'idempotency-key': key })
    expect((await send('the-key')).result).toEqual({})
    const before = await customersAt(world)
    // What the database holds if the server dies at this moment.
    await world.pool.query(
      `update idempotency_keys set answer = null, claimed_by = 'a dead server'`,
    )
    for (const key of ['the-key', 'the-key', 'another-key'])
      expect(reasonOf(await send(key))).toBe(otherwise)
    expect(await customersAt(world)).toEqual(before)
  },
)
