import { billingLimits, limits } from '#config/limits.ts'
import { orderOfNotice } from '../core/notices.ts'
import { hasPresentKey } from '../core/secret-key.ts'
import type { Services, Tasks } from '../core/services.ts'
import { stopUrlOf } from '../core/stop-links.ts'
import { removeLostFactors } from '../identity/factors.ts'
import { deleteRejected } from '../identity/account-deletion.ts'
import { orderAtSending } from '../mails/at-sending.ts'
import { renderMail, type MailOrder } from '../mails/mails.ts'
import { openOrder } from '../mails/sealed-orders.ts'
import { hashOf } from '../platform/ids.ts'
import { pseudonym } from '../platform/keyed-hash.ts'
import { after } from '../platform/time.ts'
import type { Sealed, Secrets } from '../platform/secrets.ts'
import { RecipientRefused } from '../providers/mail/mailer.ts'
import { mailSecondFactor } from '../subscriptions/security.ts'
import { mailTokensEnded, remindOfTokens } from '../tokens/ending.ts'

export const otherJobs = {
  sendMail,

  async sendSealedMail(sealed, services, jobId) {
    const { secrets, store, log } = services
    const order = openOrder(sealed, secrets)
    if (order) return sendMail(order, services, jobId)
    // Another server can open it.
    if (!(await hasPresentKey(secrets, store)))
      throw new Error('This server lacks the SECRET_KEY that the database has now.')
    log.error(
      { mail: sealed.mail },
      'a mail is not sent, because the SECRET_KEY that sealed its code is not there any more',
    )
  },

  async sendNoticeMail(notice, services, jobId) {
    const order = await orderOfNotice(notice, services)
    if (order) await deliver(order, services, jobId)
  },

  mailSecondFactor,
  mailTokensEnded,

  async removeExpired(_payload, services) {
    const { store, secrets, now } = services
    await store.sessions.removeExpired(now())
    await store.accessTokens.removeExpired(after(now(), -limits.accessTokens.kept))
    await store.actionCodes.removeExpired(after(now(), -limits.actionCodes.recoverEmail))
    await store.providerFlows.removeExpired(now())
    await store.factors.removeExpired(now())
    await store.joinRequests.removeDeclined(after(now(), -limits.joining.declined))
    await store.usedOnce.removeKept({ now: now() })
    await store.providerEvents.removeOlder(after(now(), -billingLimits.eventsKept))
    await store.activity.removeOlder(after(now(), -limits.activity.kept))
    await store.idempotency.removeOlder(after(now(), -limits.calls.idempotencyKept))
    await store.rateLimits.removeExpired()
    await store.refusedMails.removeOlder(after(now(), -limits.refusedMailsKept))
    await remindOfTokens(services)
    await deleteRejected(services)
    await removeLostFactors(services)
    await resealAll('factor', store.factors, secrets)
    await resealAll('join link', store.joinLinks, secrets)
    for (const [, { removeExpired }] of services.modules.hooks) await removeExpired?.(services)
  },
} satisfies Partial<Tasks>

async function sendMail(ordered: MailOrder, services: Services, jobId: string) {
  const order = await orderAtSending(ordered, services)
  if (order) return deliver(order, services, jobId)
  services.log.info({ mail: ordered.mail }, 'a mail is not sent: what it asks for is over')
}

async function deliver(order: MailOrder, services: Services, jobId: string) {
  const { mailer, publicUrl, modules, store, keyedHash, now, log } = services
  const { to: address } = order
  const about = aboutOf(order)
  const mail = await renderMail(order, publicUrl, modules.mails, stopUrlOf(order, services))
  try {
    await mailer.send({ to: address, ...mail }, jobId)
    if ('subscriptionId' in order.values) await store.refusedMails.remove({ about, address })
  } catch (error) {
    if (!(error instanceof RecipientRefused)) throw error
    const { reply } = error
    log.warn({ mail: order.mail, account: pseudonym(keyedHash, address) }, recipientRefused)
    // Of a deleted account nothing is kept.
    if (about) await store.refusedMails.put({ about, address, mail: order.mail, reply, at: now() })
  }
}

/** What a refusal is kept for: the mailed code, by its hash, or the subscription. */
function aboutOf({ values }: MailOrder) {
  if ('code' in values) return hashOf(values.code)
  return 'subscriptionId' in values ? values.subscriptionId : ''
}

const recipientRefused =
  'the mail server refuses the address for good, so the mail is not tried again'

type Resealed = {
  listSealed: (after: string, count: number) => Promise<{ id: string; secret: string }[]>
  reseal: (row: { id: string; from: string; to: string }) => Promise<unknown>
}

/** Seals secrets anew that a former key has sealed, so that the key may go. */
async function resealAll(purpose: Sealed, rows: Resealed, secrets: Secrets) {
  if (secrets.fingerprints.length === 1) return
  let last = ''
  for (;;) {
    const page = await rows.listSealed(last, 1000)
    for (const { id, secret } of page) {
      const sealed = secrets.reseal(purpose, secret)
      if (sealed !== undefined) await rows.reseal({ id, from: secret, to: sealed })
    }
    if (page.length === 0) return
    last = page.at(-1)!.id
  }
}
