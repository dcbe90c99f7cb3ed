import { limits } from '#config/limits.ts'
import { adminPermissions } from '#contract/access.ts'
import { nextCharge } from '#contract/next-charge.ts'
import { after, seconds } from '../platform/time.ts'
import type { BillingRow } from '../store/billing.ts'
import { chargesOf, chargeWithoutCard } from '../store/charges.ts'
import type { Store } from '../store/store.ts'
import type { CoreMailOrder, MailOrder } from './mails.ts'

type Name = CoreMailOrder['mail']
type OrderOf<Mail extends Name> = Extract<CoreMailOrder, { mail: Mail }>
type Tools = { store: Store; now: () => Date }
type Sent<Order> = Promise<Order | undefined> | Order

/**
 * A mail may wait for days until a mail server takes it. Each row says what the mail is when it
 * leaves: undefined if what it asks for is over. What only tells what happened is never dropped.
 */
const atSending: { [Mail in Name]: (order: OrderOf<Mail>, tools: Tools) => Sent<OrderOf<Mail>> } = {
  verifyEmail: ofOpenCode(({ code, user }) => !user.claimed && code.email === user.email),
  resetPassword: ofOpenCode(({ code, user }) => code.email === user.email),
  verifyAndChangeEmail: ofOpenCode(() => true),

  async accountRejected(order, { store, now }) {
    const found = await store.actionCodes.find(order.values.code)
    const left = found ? found.code.expiresAt.getTime() - now().getTime() : 0
    if (!found?.user.rejectedAt || left <= 0) return undefined
    return { ...order, values: { ...order.values, hours: Math.max(1, Math.round(left / hour)) } }
  },

  recoverEmail: tellingWithCode,
  securityNotice: tellingWithCode,
  factorsRemovedLater: ofOpenCode(({ user }) => user.factorsRemovedAt !== null),
  accountDeleted: telling,

  async invitation(order, { store, now }) {
    const found = await store.invites.findByCode(order.values.code)
    const { invite, isMailed } = found ?? {}
    const isOpen = invite?.status === 'pending' && invite.expires * 1000 > now().getTime()
    if (!isOpen || !isMailed) return undefined
    const { subscription_name: project, second_factor_from: secondFactorFrom } = invite
    const { stop } = order
    const to = stop && 'mailbox' in stop && { email: order.to, mailbox: stop.mailbox }
    const stranger = to ? await store.invites.findStranger(to) : undefined
    if (stranger?.wantsNone) return undefined
    const values = { ...order.values, project, secondFactorFrom }
    return { ...order, values, stop: stranger?.isStranger ? stop : undefined }
  },

  paymentFailed: toOwner(isOwed),
  paymentWaits: toOwner(isOwed),
  /** To administrators, who may not be any by now. */
  async projectUnpaid(order, { store }) {
    const row = await store.billing.find(order.values.subscriptionId)
    if (!row || !isOwed(row)) return undefined
    const admins = await store.users.listHolders(row.id, adminPermissions)
    const isAdmin = admins.some(({ id, email }) => email === order.to && id !== row.ownerId)
    return isAdmin ? order : undefined
  },
  cardMissing: toOwner((row) => row.status === 'active' && chargeWithoutCard(row) !== undefined),

  renewalAhead: toOwner((row, { renews }) => nextCharge(chargesOf(row)) === renews),
  trialEnds: toOwner(({ trialEndsAt, lookOnly }, { ends }) =>
    Boolean(trialEndsAt && !lookOnly && seconds(trialEndsAt) === ends),
  ),
  trialOver: toOwner(({ lookOnly }, { until }) => lookOnly?.until === until),
  trialToFree: telling,
  planChangeAhead: toOwner((row, { plan }) => row.scheduled?.planId === plan),
  planChangeKept: telling,

  projectCanceled: telling,
  projectEndedUnpaid: telling,
  receipt: telling,
  ownershipGiven: telling,
  ownershipReceived: telling,

  async ownershipOffered(order, { store, now }) {
    const { subscriptionId } = order.values
    const offer = await store.ownershipOffers.find({ subscriptionId, now: now() })
    return offer?.email === order.to ? order : undefined
  },
  ownershipDeclined: telling,

  async secondFactorRequired(order, { store }) {
    const { subscriptionId } = order.values
    const subscription = await store.subscriptions.find(subscriptionId)
    const from = subscription?.second_factor_from ?? null
    if (from === null || subscription?.status !== 'active') return undefined
    const asked = await store.members.listWithoutFactor(subscriptionId)
    if (!asked.some(({ email }) => email === order.to)) return undefined
    return { ...order, values: { ...order.values, from } }
  },
  secondFactorNotRequired: telling,

  async tokenEnds(order, { store, now }) {
    const token = await store.accessTokens.find(order.values.tokenId)
    return token && token.expiresAt > now() ? order : undefined
  },
  tokensEnded: telling,

  // What these say has just been looked up: see core/notices.ts.
  memberRemoved: telling,
  roleChanged: telling,
  projectEnded: telling,
  invitationAccepted: telling,
  joinRequested: telling,
  joinAccepted: telling,
}

const hour = 3_600_000

export async function orderAtSending(order: MailOrder, tools: Tools) {
  // A mail of a module tells what has happened.
  const decide = (atSending as Record<string, unknown>)[order.mail] ?? telling
  return (decide as (order: MailOrder, tools: Tools) => Sent<MailOrder>)(order, tools)
}

function telling<Order>(order: Order) {
  return order
}

type WithCode = { values: { code: string } }
type Found = NonNullable<Awaited<ReturnType<Store['actionCodes']['find']>>>

async function tellingWithCode<Order extends WithCode>(order: Order, tools: Tools) {
  await findOpenCode(order, tools)
  return order
}

function ofOpenCode(isWanted: (found: Found) => boolean) {
  return async <Order extends WithCode>(order: Order, tools: Tools) => {
    const found = await findOpenCode(order, tools)
    return found && isWanted(found) ? order : undefined
  }
}

/** Mails say how long their link works, so the life of its code begins when the mail leaves. */
async function findOpenCode({ values: { code } }: WithCode, { store, now }: Tools) {
  const found = await store.actionCodes.find(code)
  if (!found || found.code.endedAt) return undefined
  const expiresAt = after(now(), limits.actionCodes[found.code.mode])
  if (expiresAt.getTime() - found.code.expiresAt.getTime() > shortWait)
    await store.actionCodes.extend({ hash: found.code.hash, expiresAt })
  return found
}

/** In milliseconds. */
const shortWait = 60_000

function isOwed({ status, payment }: BillingRow) {
  return status === 'active' && payment !== 'ok'
}

/** The project may have another owner by now, or the owner another address. */
function toOwner<Order extends Extract<CoreMailOrder, { values: { subscriptionId: string } }>>(
  isWanted: (row: BillingRow, values: Order['values']) => boolean,
) {
  return async (order: Order, { store }: Tools) => {
    const row = await store.billing.find(order.values.subscriptionId)
    const owner = row?.ownerId ? await store.users.find(row.ownerId) : undefined
    if (!row || !owner || !isWanted(row, order.values)) return undefined
    const { email: to, displayName: name, language, claimed } = owner
    if (to === order.to) return order
    return claimed ? { ...order, to, language, values: { ...order.values, name } } : undefined
  }
}
