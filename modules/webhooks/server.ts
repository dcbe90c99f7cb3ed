import { events as all } from '#contract/events.ts'
import { projectPath } from '#contract/paths.ts'
import { activeAdmin } from '#contract/rows.ts'
import { randomBytes } from 'node:crypto'
import { record } from '../../server/activity/record.ts'
import type { ServerModule } from '../../server/core/modules.ts'
import { requireAccessStill } from '../../server/core/require-access.ts'
import type { Recorded, Services } from '../../server/core/services.ts'
import { newId } from '../../server/platform/ids.ts'
import { Refusal } from '../../server/platform/refusal.ts'
import { after } from '../../server/platform/time.ts'
import { limits } from './limits.ts'
import type { Because } from './lines.ts'
import * as store from './store.ts'
import { isForbidden, targetOf } from './target.ts'
import { startWork } from './work.ts'

declare module '../../server/mails/mails.ts' {
  interface ModuleMails {
    'webhooks.paused': {
      project: string
      subscriptionId: string
      webhookId: string
      host: string
      because: Because
    }
  }
}

/** What an entry's details may tell receivers: ids, names and dates, but no address and no card. */
const told = new Set('at because fields from invoice permissions plan refund title to'.split(' '))

export const server = {
  calls: {
    async listWebhooks({ subscription }, { db }) {
      return { webhooks: await store.list(db, subscription.id) }
    },

    async createWebhook({ input, subscription, user }, services) {
      const { events } = input
      requireEvents(events)
      const url = await requireUrl(input.url, services)
      const place = { id: newId(), subscriptionId: subscription.id }
      const { secret, sealed } = newSecret(services)
      return services.transaction(async (services) => {
        const { db, now } = services
        await requireAccessStill(activeAdmin, user, place.subscriptionId, services)
        const webhook = { ...place, url, events, secret: sealed, now: now() }
        if (!(await store.add(db, webhook)))
          throw new Refusal('tooManyWebhooks', { most: limits.perProject })
        await recordChange('webhookCreated', { ...place, url }, user, services)
        return { webhook: await requireShown(place, services), secret }
      })
    },

    async updateWebhook(request, services) {
      const { input, user } = request
      const { events, status } = input
      if (events) requireEvents(events)
      const url = input.url && (await requireUrl(input.url, services))
      return services.transaction(async (services) => {
        const { db, now } = services
        await requireAccessStill(activeAdmin, user, input.subscriptionId, services)
        const former = await requireWebhook(request, services)
        const next = { ...former, ...(url && { url }), ...(events && { events }) }
        await store.change(db, { ...next, status: status ?? former.status, now: now() })
        if (input.after && status === 'on') await store.skipFirst(db, former.id)
        await recordChange('webhookChanged', next, user, services)
        return { webhook: await requireShown(former, services) }
      })
    },

    async renewWebhookSecret(request, services) {
      const webhook = await requireWebhook(request, services)
      const { secret, sealed } = newSecret(services)
      const until = after(services.now(), limits.formerSecret)
      await store.renewSecret(services.db, webhook.id, sealed, until)
      await recordChange('webhookSecretRenewed', webhook, request.user, services)
      return { secret }
    },

    async deleteWebhook(request, services) {
      const webhook = await requireWebhook(request, services)
      await store.remove(services.db, webhook.id)
      await recordChange('webhookDeleted', webhook, request.user, services)
      return {}
    },

    async listDeliveries({ input, subscription }, services) {
      const { db, now } = services
      const { webhookId } = input
      await requireShown({ id: webhookId, subscriptionId: subscription.id }, services)
      return store.listDeliveries(db, { webhookId, since: after(now(), -limits.kept) }, input)
    },

    async sendAgain(request, services) {
      const { db, now, successLimits } = services
      const { webhookId, deliveryId: id = null, since } = request.input
      if ((id === null) === (since === undefined))
        throw new Refusal('invalidInput', { fields: { deliveryId: 'required' } })
      await requireWebhook(request, services)
      if (id === null) await successLimits.consume(['catchUpsByWebhook', webhookId])
      const [count] = await Promise.all([
        store.askAgain(db, { webhookId, id, since: new Date(since ?? 0) }),
        store.wake(db, webhookId, now()),
      ])
      if (id !== null && count === 0) throw new Refusal('deliveryNotFound')
      return { count }
    },

    async sendTestEvent(request, services) {
      const { db, now } = services
      const { id: webhookId } = await requireWebhook(request, services)
      const [deliveryId] = await Promise.all([
        store.addTest(db, webhookId, request.user.uid, now()),
        store.wake(db, webhookId, now()),
      ])
      return { deliveryId }
    },
  },

  mails: {
    'webhooks.paused': ({ project, host, because, webhookId, subscriptionId }, { t, to }) => ({
      words: { project: project || t('common.untitledProject'), host },
      ...(because === 'secretLost' && { text: t('mails.webhooks.paused.secretLost', { host }) }),
      link: to(projectPath('webhook', subscriptionId), { webhook: webhookId }),
    }),
  },

  recorded(entry, { db }) {
    if (!all.includes(entry.kind)) return undefined
    const details = Object.entries(entry.details).filter(([name]) => told.has(name))
    return store.tell(db, { ...entry, details: Object.fromEntries(details) })
  },

  async removeExpired(services) {
    const { db, now } = services
    await store.removeOld(db, after(now(), -limits.kept))
    await store.shorten(db, null)
    await resealSecrets(services)
  },

  startWork,
} satisfies ServerModule<'webhooks'>

/** 256 bits, as Standard Webhooks writes them. */
function newSecret({ secrets }: Services) {
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  return { secret, sealed: secrets.seal('webhook', secret) }
}

async function requireUrl(text: string, { allowPrivateWebhooks }: Services) {
  const target = targetOf(text, allowPrivateWebhooks)
  if (!target || (await isForbidden(target))) throw new Refusal('webhookUrlNotAllowed')
  return target.url.href
}

function requireEvents(events: string[]) {
  const isRight = events.length > 0 && events.every((event) => all.includes(event))
  if (!isRight && events.join() !== '*') throw new Refusal('unknownWebhookEvent')
}

type OfWebhook = { input: { webhookId: string }; subscription: { id: string } }

/** Locks the webhook until the end of the transaction. */
async function requireWebhook({ input, subscription }: OfWebhook, { db }: Services) {
  const webhook = await store.lock(db, { id: input.webhookId, subscriptionId: subscription.id })
  if (!webhook) throw new Refusal('webhookNotFound')
  return webhook
}

async function requireShown({ id, subscriptionId }: store.Place, { db }: Services) {
  const webhook = (await store.list(db, subscriptionId)).find((webhook) => webhook.id === id)
  if (!webhook) throw new Refusal('webhookNotFound')
  return webhook
}

/** A URL may have a secret in its path, so the log has the host alone. */
function recordChange(
  kind: Recorded['kind'],
  { url, subscriptionId }: Pick<store.Row, 'url' | 'subscriptionId'>,
  by: { uid: string; displayName: string },
  services: Services,
) {
  return record(kind, { by, in: subscriptionId, details: { host: new URL(url).host } }, services)
}

/** Seals secrets anew that a former key has sealed, so that the key may go. */
async function resealSecrets({ db, secrets }: Services) {
  if (secrets.fingerprints.length === 1) return
  for (const { id, secret } of await store.listAll(db)) {
    const sealed = secrets.reseal('webhook', secret)
    if (sealed !== undefined) await store.reseal(db, id, secret, sealed)
  }
}
