import { billingLimits, limits } from '#config/limits.ts'
import { hasPresentKey } from '../core/secret-key.ts'
import type { Services, Tasks } from '../core/services.ts'
import { deleteRejected } from '../identity/rejections.ts'
import { orderAtSending } from '../mails/at-sending.ts'
import { renderMail, type MailOrder } from '../mails/mails.ts'
import { openOrder } from '../mails/sealed-orders.ts'
import { after } from '../platform/time.ts'

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

  async removeExpired(_payload, services) {
    const { store, now } = services
    await store.sessions.removeExpired(now())
    await store.actionCodes.removeExpired(after(now(), -limits.actionCodes.recoverEmail))
    await store.providerFlows.removeExpired(now())
    await store.providerEvents.removeOlder(after(now(), -billingLimits.eventsKept))
    await store.activity.removeOlder(after(now(), -limits.activity.kept))
    await store.idempotency.removeOlder(after(now(), -limits.calls.idempotencyKept))
    await store.rateLimits.removeExpired()
    await deleteRejected(services)
  },
} satisfies Partial<Tasks>

async function sendMail(ordered: MailOrder, services: Services, jobId: string) {
  const { mailer, publicUrl, log } = services
  const order = await orderAtSending(ordered, services)
  if (!order)
    return log.info({ mail: ordered.mail }, 'a mail is not sent: what it asks for is over')
  await mailer.send({ to: order.to, ...(await renderMail(order, publicUrl)) }, jobId)
}
