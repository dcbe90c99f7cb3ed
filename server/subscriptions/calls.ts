import {
  adminPermissions,
  allPermissions,
  holds,
  isShut,
  ownerPermissions,
} from '#contract/access.ts'
import type { SubscriptionWithPeople } from '#contract/entities.ts'
import { limitNames } from '#contract/entitlements.ts'
import { nameOnly, projectName } from '#contract/project-name.ts'
import { changedFields, findPerson, record } from '../activity/record.ts'
import { attemptOf } from '../billing/customer.ts'
import { recoverNow, finishEarlier, listPurchases } from '../billing/earlier-purchase.ts'
import { withBillingLease } from '../billing/lease.ts'
import {
  requireCodeAllowed,
  requireOffer,
  requireRoomForFree,
  type KnownPlan,
} from '../billing/plans.ts'
import { buyPlan, recover } from '../billing/purchase.ts'
import { requireTrial } from '../billing/trials.ts'
import { listUses } from '../core/entitlements.ts'
import type { CurrentUser, Handlers, Services } from '../core/services.ts'
import { idFrom, newId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Lease } from '../store/billing.ts'

/** At most this many earlier purchases are finished before a new one. People usually have one. */
const mostEarlier = 10

export const subscriptionCalls = {
  async listSubscriptions({ input, user }, { store, now }) {
    const { page, pageSize, search, sort } = input
    const viewer = { userId: user.uid, admins: adminPermissions }
    const passing = { secondStepAt: user.session.secondStepAt, now: now() }
    const asSeen = (row: SubscriptionWithPeople) =>
      isShut(row, passing) ? shutRow(row, user.uid) : row
    const only = user.accessToken?.subscriptionId ?? undefined
    if (page === undefined && !search && sort === 'newest' && only === undefined) {
      const subscriptions = await store.subscriptions.listWithPeople(viewer)
      return { subscriptions: subscriptions.map(asSeen), total: subscriptions.length }
    }
    const wish = { page: page ?? 1, pageSize, search, only, sort, language: user.language }
    const { subscriptions, total } = await store.subscriptions.pageOf(viewer, wish)
    return { subscriptions: subscriptions.map(asSeen), total }
  },

  async createSubscription({ input, user, key, visit: { network } }, services) {
    const { name, billingInfo, promotionCode, after } = input
    const offer = requireOffer(input)
    const { plan } = offer
    // The id follows from the key: a request that is repeated after a crash finds what it began.
    const id = key ? idFrom(key.userId, key.key) : newId()
    requireCodeAllowed(promotionCode, !plan.free)
    if (plan.free && billingInfo) throw new Refusal('billingInfoNotWanted')
    if (!plan.free && !billingInfo) throw new Refusal('billingInfoRequired')
    const trial = billingInfo && requireTrial(offer, input, billingInfo, user)
    for (let tries = 0; tries < mostEarlier; tries++) {
      const newer = await addRow(id, plan, { user, name, after }, services)
      const earlier = newer && (await finishEarlier(newer, services))
      if (earlier) return earlier
      if (newer) continue
      if (!billingInfo) return { subscriptionId: id }
      const bought = await withBillingLease(id, services, async (lease) => {
        const begun = await recoverEarlier(lease, services)
        // Another tab has undone this purchase before it began: that tab's is looked for next.
        if (!begun && after !== undefined) return undefined
        // An earlier try was undone and its row removed. The client's next try creates another.
        if (!begun) throw new Refusal('billingBusy')
        if (begun.status !== 'incomplete') return { subscriptionId: id }
        // The account was deleted before. While the lease is held, nobody can delete it.
        if (begun.ownerId === null) throw new Refusal('sessionEnded')
        const attempt = attemptOf(begun)
        const purchase = { offer, billingInfo, trial, promotionCode, attempt, user, network }
        const paid = await buyPlan(lease, purchase, services)
        return { subscriptionId: id, ...paid }
      })
      if (bought) return bought
    }
    throw new Refusal('billingBusy')
  },

  async findPurchase({ user }, services) {
    const purchases = await listPurchases(user.uid, services)
    const latest = purchases.find(({ outcomeSeen }) => outcomeSeen)?.id ?? null
    const [newest] = purchases
    if (!newest || newest.outcomeSeen) return { latest, purchase: null }
    const state = newest.status === 'active' ? 'paid' : await recoverNow(newest.id, services)
    return { latest, purchase: { subscriptionId: newest.id, state } }
  },

  async acknowledgePurchase({ subscription: { id } }, { store }) {
    await store.subscriptions.acknowledge({ id })
    return {}
  },

  async hideSubscription({ input, subscription, user }, { store }) {
    if (subscription.status !== 'canceled') throw new Refusal('notCanceled')
    const { subscriptionId, hidden: isHidden } = input
    await store.members.hide({ subscriptionId, userId: user.uid, isHidden })
    return {}
  },

  async getSubscription({ subscription, user }, { store }) {
    const viewer = { userId: user.uid, admins: adminPermissions }
    const found = await store.subscriptions.findOpened(subscription.id, viewer)
    if (!found) throw new Refusal('accessDenied')
    return { subscription: found }
  },

  async getUsage({ subscription }, services) {
    return { usage: await listUses(subscription, limitNames, services) }
  },

  async updateSubscriptionSettings({ input, subscription, user }, services) {
    const { id, settings, settingsChangedAt: at, settingsChangedBy, isPaying } = subscription
    const { ifUnchangedSince } = input
    const fields = changedFields(settings, input.settings)
    if (fields.length === 0) return {}
    if (ifUnchangedSince !== undefined && at > new Date(ifUnchangedSince)) {
      const by = (await findPerson(settingsChangedBy, services))?.displayName ?? null
      throw new Refusal('settingsChanged', { settings, by, at: at.toISOString() })
    }
    const change = { id, settings: input.settings, by: user.uid, now: services.now() }
    const [from, to] = [projectName(settings), projectName(input.settings)]
    const isRenamed = from !== to
    const details = { fields, ...(isRenamed && { from, to }) }
    await Promise.all([
      services.store.subscriptions.setSettings(change),
      record('settingsChanged', { by: user, in: id, details }, services),
      // The next invoice has the new name.
      isRenamed && isPaying && services.jobs.add('updateContact', { subscriptionId: id }),
    ])
    return {}
  },
} satisfies Partial<Handlers>

/** What a session may know of a project that it has to pass a second step for. */
function shutRow(row: SubscriptionWithPeople, uid: string): SubscriptionWithPeople {
  const own = allPermissions.filter((key) => holds(row, uid, key))
  return {
    ...row,
    payment: 'ok',
    access: 'full',
    look_only: null,
    renews: null,
    price: null,
    weekly: null,
    currency: null,
    ends: null,
    ends_by: null,
    next_plan: null,
    trial_ends: null,
    discount: null,
    is_paused: false,
    needs_card: false,
    settings: nameOnly(row.settings),
    permissions: Object.fromEntries(own.map((key) => [key, [uid]])),
    people: [],
    is_shut: true,
  }
}

type Buyer = { user: CurrentUser; name: string | undefined; after: string | null | undefined }

/**
 * Adds a row that is active if the plan is free, and incomplete until a paid plan is paid. Adds none
 * if the buyer has made a purchase since the one they know of, and returns the id of that.
 */
async function addRow(
  id: string,
  plan: KnownPlan,
  { user, name, after }: Buyer,
  services: Services,
) {
  return services.transaction(async (services) => {
    const { store, now } = services
    const isPurchase = !plan.free && after !== undefined
    if (plan.free)
      await Promise.all([
        store.subscriptions.lockOwner(user.uid),
        requireRoomForFree(user.uid, id, services),
      ])
    if (isPurchase) {
      const [, purchases] = await Promise.all([
        store.subscriptions.lockOwner(user.uid),
        listPurchases(user.uid, services),
      ])
      const newest = purchases.find((row) => row.id !== id)
      if (newest && newest.id !== after) return newest.id
    }
    const status = plan.free ? 'active' : 'incomplete'
    const outcomeSeen = isPurchase ? false : null
    const isNew = await store.subscriptions.add({
      id,
      ownerId: user.uid,
      planId: plan.id,
      status,
      settings: name === undefined ? {} : { name },
      permissions: ownerPermissions,
      outcomeSeen,
      now: now(),
    })
    // `recordPlan` records a paid subscription when it is paid.
    if (isNew && plan.free)
      await record('projectCreated', { by: user, in: id, details: { plan: plan.id } }, services)
    return undefined
  })
}

/** The subscription's row. An earlier purchase may have ended or been paid since. */
async function recoverEarlier(lease: Lease, services: Services) {
  const { billing } = services.store
  const row = await billing.find(lease.subscriptionId)
  if (row?.status !== 'incomplete' || !row.providerSubscriptionId) return row
  await recover(lease, services)
  return billing.find(lease.subscriptionId)
}
