// @module-tag slow
import { expect, test } from 'vitest'
import { aWorld, billingInfo, countOutcomes, reasonOf, type Person } from '../../tests/world.ts'

type Wish = { key?: string; card?: string; after?: string | null }

async function aCheckout() {
  const world = await aWorld()
  const inTime = async (buyer: Person) => (await buyer.does('findPurchase', {})).purchase?.state

  /** Pays as the app does: with the newest purchase that the buyer knows of. */
  function pay(buyer: Person, { key, card = 'pm_card_visa', after = null }: Wish = {}) {
    const wish = { planId: 'pro', billingInfo: billingInfo(card), after }
    return buyer.call('createSubscription', wish, key ? { 'idempotency-key': key } : {})
  }

  /** How many payments the bank has made in all, also those of projects that are gone. */
  async function charges() {
    const { rows } = await world.pool.query<{ count: number }>(
      `select count(*) from sandbox.objects where type = 'charge' and body->>'status' = 'succeeded'`,
    )
    return rows[0]!.count
  }

  return { world, pay, charges, inTime }
}

const cuts = [0, 1, 2, 3, 4, 5, 6].flatMap((skip) =>
  (['before', 'after'] as const).map((at) => ({ skip, at })),
)

test('a buyer who types the card again after a lost answer pays once, wherever the payment provider broke off', async () => {
  const { world, pay, charges } = await aCheckout()
  for (const { skip, at } of cuts) {
    const cut = `${skip} ${at}`
    const buyer = await world.aPerson(`buyer${skip}${at}`)
    const before = await charges()
    await world.control({ api: { fault: 'break', skip, at } })
    const lost = await pay(buyer)
    expect([undefined, 'paymentsUnavailable'], cut).toContain(reasonOf(lost))
    await world.control({ reset: true })
    const isPaid = (await charges()) > before

    const again = await pay(buyer, { card: 'pm_card_mastercard' })
    expect(again.result, cut).toMatchObject(isPaid ? { earlier: true } : {})
    expect(again.result, cut).not.toHaveProperty('clientSecret')
    expect(await charges(), cut).toBe(before + 1)
    const { subscriptionId } = again.result!
    expect((await buyer.projects()).map(({ id }) => id)).toEqual([subscriptionId])
    expect(await buyer.does('findPurchase', {})).toEqual({
      latest: null,
      purchase: { subscriptionId, state: 'paid' },
    })
  }
})

test('one who pays in three tabs at once gets one project, and another once it is acknowledged', async () => {
  const { world, pay, charges } = await aCheckout()
  const inTabs = async (buyer: Person) => {
    const answers = await Promise.all([pay(buyer), pay(buyer), pay(buyer)])
    expect(countOutcomes(answers)).toEqual({ done: 3 })
    const [id, ...others] = new Set(answers.map(({ result }) => result!.subscriptionId))
    expect(others).toEqual([])
    return id!
  }
  // Only once the server has its connections do all tabs ask at the same moment.
  for (const name of ['cat', 'dan', 'eve', 'fay']) await inTabs(await world.aPerson(name))
  const before = await charges()
  expect(before).toBe(4)
  const ann = await world.aPerson()
  const subscriptionId = await inTabs(ann)
  await ann.does('acknowledgePurchase', { subscriptionId })
  expect((await pay(ann)).result).toEqual({ subscriptionId, earlier: true })
  expect(await charges()).toBe(before + 1)
  const known = await ann.does('findPurchase', {})
  expect(known).toEqual({ latest: subscriptionId, purchase: null })
  expect((await pay(ann, { after: known.latest })).result).not.toHaveProperty('earlier')
  expect(await ann.projects()).toHaveLength(2)
  // A project that was handed over is no purchase of the new owner.
  const bob = await world.aPerson('bob')
  await world.addMember(subscriptionId, bob, ['admin'])
  await ann.transfers(subscriptionId, bob)
  expect((await pay(bob)).result).not.toHaveProperty('earlier')
})

test('a purchase finishes ten earlier ones that came to nothing, is refused if there are more, and goes through when it is repeated', async () => {
  const { world, pay, charges } = await aCheckout()
  const ann = await world.aPerson()
  const left = {
    ownerId: ann.uid,
    planId: 'pro',
    status: 'incomplete',
    outcomeSeen: false,
  } as const
  for (let index = 0; index < 11; index++) {
    const row = { id: `left${index}`, permissions: [], now: world.services.now(), ...left }
    await world.services.store.subscriptions.add(row)
  }
  expect(reasonOf(await pay(ann))).toBe('billingBusy')
  expect((await pay(ann)).result).not.toHaveProperty('earlier')
  expect([await charges(), await ann.projects()]).toMatchObject([1, [{ plan_id: 'pro' }]])
})

test('a purchase that waits for its buyer is given up for the next one, but not if the bank has just been answered', async () => {
  const { world, pay, charges, inTime } = await aCheckout()
  const [ann, bob] = await world.somePeople('ann', 'bob')
  const asked = await pay(ann, { card: 'pm_card_authenticationRequired' })
  expect(await inTime(ann)).toBe('waiting')
  const paid = await pay(ann)
  expect(paid.result).not.toHaveProperty('earlier')
  await ann.cannot('completePayment', only(asked.result!), 'subscriptionNotFound')
  expect(await charges()).toBe(1)

  await world.control({ webhooks: { mode: 'drop' } })
  const { result } = await pay(bob, { card: 'pm_card_authenticationRequired' })
  await world.answerChallenge(result!.clientSecret!, 'succeed')
  expect((await pay(bob)).result).toEqual({ subscriptionId: result!.subscriptionId, earlier: true })
  expect(await charges()).toBe(2)
})

test('findPurchase says that a purchase is still at work, and that nothing came of one that a server left behind', async () => {
  const { world, inTime, pay } = await aCheckout()
  const [ann, stranger] = await world.somePeople('ann', 'stranger')
  await world.control({ api: { fault: 'break' } })
  await pay(ann)
  await world.control({ reset: true })
  const lease = 'update subscriptions set billing_lease_by = $1, billing_lease_until = $2'
  await world.pool.query(lease, ['another', new Date(Date.now() + 60_000)])
  expect(await inTime(ann)).toBe('working')
  // A stranger does not wait for the lease, and so can't hold it either.
  const { rows } = await world.pool.query<{ id: string }>('select id from subscriptions')
  await stranger.cannot('completePayment', { subscriptionId: rows[0]!.id }, 'subscriptionNotFound')
  await world.pool.query(lease, [null, null])
  expect(await inTime(ann)).toBe('undone')
  expect(await inTime(ann)).toBeUndefined()
})

function only({ subscriptionId }: { subscriptionId: string }) {
  return { subscriptionId }
}
