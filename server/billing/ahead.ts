import type { Tasks } from '../core/services.ts'
import { seconds } from '../platform/time.ts'
import { withBillingLease } from './lease.ts'
import { addEndTrial, afterGrace } from './look-only.ts'
import { cardWords, tellOwner } from './mails.ts'
import { momentsAfter, nextAhead } from './moments.ts'
import { findFreeFit, hasRoomIn } from './plans.ts'
import { endChange, recover } from './purchase.ts'
import { syncProviderSubscription } from './sync.ts'

export const aheadJobs = {
  /** Adds a job for each project that has something due. */
  async lookAhead(_payload, { payments, store, jobs }) {
    for (const { id } of await store.billing.listAhead({
      until: await payments.now(),
      limit: 1000,
    }))
      await jobs.add('actAhead', { subscriptionId: id }, { key: `ahead ${id}` })
  },

  /** Does what is due for one project. */
  async actAhead({ subscriptionId: id }, services) {
    const { payments, transaction } = services
    const now = await payments.now()
    const found = await services.store.billing.find(id)
    const due =
      found?.providerSubscriptionId && (await payments.previewNext(found.providerSubscriptionId))
    const cards =
      found?.trialEndsAt && found.customerId ? await payments.listCards(found.customerId) : []
    const card = cards.find(({ isDefault }) => isDefault)?.card ?? null
    await transaction(async (services) => {
      const { store, jobs } = services
      const row = await store.subscriptions.lockRow(id)
      if (!row || row.status !== 'active' || row.aheadAt === null || row.aheadAt > now) return
      const moments = momentsAfter(row, row.aheadDone).filter(({ at }) => at <= now)
      const acts = new Set(moments.map(({ act }) => act))
      const lookOnly = afterGrace(row, now) ?? row.lookOnly
      await store.billing.update(id, { aheadDone: now, aheadAt: nextAhead(row, now), lookOnly })
      if (acts.has('seats'))
        await jobs.add('checkSeats', { subscriptionId: id }, { key: `seats ${id}` })
      const currency = row.currency!
      if (acts.has('planChange') && row.scheduled) {
        const { planId: plan, price, at } = row.scheduled
        const amount = price && (due?.due ?? price.amount)
        const fits = await hasRoomIn(row, plan, services)
        await tellOwner(row, 'planChangeAhead', { plan, amount, currency, at, fits }, services)
      }
      if (acts.has('trialEnd') && due) {
        const free = (await findFreeFit(row, services))?.id ?? null
        const ends = seconds(row.trialEndsAt!)
        const values = { amount: due.due, currency, card: cardWords(card), free, ends }
        await tellOwner(row, 'trialEnds', values, services)
      }
      if (acts.has('trialOver')) await addEndTrial(id, services)
      if (acts.has('renewal') && due) {
        const values = { amount: due.due, currency, renews: seconds(row.renewsAt!) }
        await tellOwner(row, 'renewalAhead', values, services)
      }
    })
  },

  /** Drops a scheduled change if the project doesn't fit. Else the smaller plan's seats now count. */
  async checkSeats({ subscriptionId: id }, services) {
    await withBillingLease(id, services, async () => {
      const isKept = await services.transaction(async (services) => {
        const row = await services.store.subscriptions.lockRow(id)
        if (!row?.scheduled?.isOwn || row.status !== 'active') return false
        if (!(await hasRoomIn(row, row.scheduled.planId, services))) return true
        await services.store.billing.update(id, { heldPlanId: row.scheduled.planId })
        return false
      })
      const row = (await services.store.billing.find(id))!
      if (!isKept || row.providerSubscriptionId === null) return
      await services.payments.takeBack(row.providerSubscriptionId)
      await syncProviderSubscription(row.providerSubscriptionId, services)
      const values = { plan: row.planId, to: row.scheduled!.planId }
      await services.transaction((services) => tellOwner(row, 'planChangeKept', values, services))
    })
  },

  /**
   * After a trial that ended without a card: changes the project to the free plan if it fits. Else its
   * owner learns until when it waits, and then it ends.
   */
  async endTrial({ subscriptionId: id }, services) {
    const { payments } = services
    await withBillingLease(id, services, async (lease) => {
      // An earlier try may have stopped after the provider had ended it.
      if ((await services.store.billing.find(id))?.nextPlanId) await recover(lease, services)
      const now = await payments.now()
      const due = await services.transaction(async (services) => {
        const { store } = services
        const row = await store.subscriptions.lockRow(id)
        const { lookOnly, providerSubscriptionId, ownerId } = row ?? {}
        if (!row || lookOnly?.because !== 'trialEnded' || !providerSubscriptionId) return undefined
        if (ownerId) await store.subscriptions.lockOwner(ownerId)
        const free = await findFreeFit(row, services)
        const isOver = lookOnly.until! <= seconds(now)
        if (!free && !isOver) {
          const values = { plan: row.planId, until: lookOnly.until! }
          await tellOwner(row, 'trialOver', values, services)
          return undefined
        }
        // From here on, the free plan's seats count.
        if (free) await store.billing.update(id, { nextPlanId: free.id })
        return { providerSubscriptionId, ending: free && { changedTo: free.id } }
      })
      if (!due) return
      await payments.endProviderSubscription(due.providerSubscriptionId, due.ending)
      await syncProviderSubscription(due.providerSubscriptionId, services)
      await endChange(id, services)
    })
  },
} satisfies Partial<Tasks>
