import { record } from '../../server/activity/record.ts'
import { requireRoom } from '../../server/core/entitlements.ts'
import type { ServerModule } from '../../server/core/modules.ts'
import type { Services } from '../../server/core/services.ts'
import { newId } from '../../server/platform/ids.ts'
import { Refusal } from '../../server/platform/refusal.ts'
import * as store from './store.ts'

export const server = {
  calls: {
    async listGadgets({ input, subscription }, { db }) {
      return store.list(db, subscription.id, input)
    },

    async getGadget({ input, subscription }, services) {
      return { gadget: await requireGadget(input.gadgetId, subscription.id, services) }
    },

    async createGadget({ input, subscription, user }, services) {
      const { db, now } = services
      const id = newId()
      const { name, note } = input
      const place = { id, subscriptionId: subscription.id }
      await store.add(db, { ...place, name, note, by: user.uid, now: now() })
      await Promise.all([
        requireRoom(subscription, ['gadgets'], services),
        record('gadgetCreated', { by: user, in: subscription.id, details: { name } }, services),
      ])
      return { gadgetId: id }
    },

    async updateGadget({ input, subscription, user }, services) {
      const { db, now } = services
      const { gadgetId: id, name, note, ifUnchangedSince } = input
      const found = await requireGadget(id, subscription.id, services)
      if (ifUnchangedSince !== undefined && found.updated !== ifUnchangedSince)
        throw new Refusal('gadgetChanged', { gadget: found })
      if (found.name === name && found.note === note) return {}
      await store.change(db, { id, name, note, by: user.uid, now: now() })
      const about = { by: user, in: subscription.id, details: { name } }
      await record('gadgetChanged', about, services)
      return {}
    },

    async deleteGadget({ input, subscription, user }, services) {
      const { id, name } = await requireGadget(input.gadgetId, subscription.id, services)
      await store.remove(services.db, id)
      const about = { by: user, in: subscription.id, details: { name } }
      await record('gadgetDeleted', about, services)
      return {}
    },
  },

  async usage(subscriptionId, { db }) {
    return { gadgets: await store.count(db, subscriptionId) }
  },
} satisfies ServerModule<'gadgets'>

async function requireGadget(id: string, subscriptionId: string, { db }: Services) {
  const found = await store.find(db, { id, subscriptionId })
  if (!found) throw new Refusal('gadgetNotFound')
  return found
}
