import { billingLimits, limits } from '#config/limits.ts'
import type { Tasks } from '../core/services.ts'
import { deleteRejected } from '../identity/rejections.ts'
import { renderMail } from '../mails/mails.ts'
import { after } from '../platform/time.ts'

export const otherJobs = {
  async sendMail(order, { mailer, publicUrl }, jobId) {
    await mailer.send({ to: order.to, ...(await renderMail(order, publicUrl)) }, jobId)
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
