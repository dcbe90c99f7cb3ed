import { record } from '../../server/activity/record.ts'
import { requireFeature, requireRoom } from '../../server/core/entitlements.ts'
import type { ServerModule } from '../../server/core/modules.ts'
import { newId } from '../../server/platform/ids.ts'
import { Refusal } from '../../server/platform/refusal.ts'
import type { Services } from '../../server/core/services.ts'
import * as store from './store.ts'

export const server = {
  calls: {
    async listDocuments({ input, subscription }, { db }) {
      return store.list(db, subscription.id, input)
    },

    async getDocument({ input, subscription }, services) {
      return { document: await requireDocument(input.documentId, subscription.id, services) }
    },

    async createDocument({ input, subscription, user }, services) {
      const { db, now } = services
      const id = newId()
      const { title, text } = input
      const document = { id, subscriptionId: subscription.id, title, text }
      await store.add(db, { ...document, by: user.uid, now: now() })
      await Promise.all([
        requireRoom(subscription, ['documents', 'documentStorage'], services),
        record('documentCreated', { by: user, in: subscription.id, details: { title } }, services),
      ])
      return { documentId: id }
    },

    async updateDocument({ input, subscription, user }, services) {
      const { db, now } = services
      const { documentId: id, title, text, ifUnchangedSince } = input
      const document = await requireDocument(id, subscription.id, services)
      if (ifUnchangedSince !== undefined && document.updated !== ifUnchangedSince)
        throw new Refusal('documentChanged', { document })
      if (document.title === title && document.text === text) return {}
      await store.change(db, { id, title, text, by: user.uid, now: now() })
      await Promise.all([
        bytesOf({ title, text }) > document.bytes &&
          requireRoom(subscription, ['documentStorage'], services),
        record('documentChanged', { by: user, in: subscription.id, details: { title } }, services),
      ])
      return {}
    },

    async deleteDocument({ input, subscription, user }, services) {
      const { id, title } = await requireDocument(input.documentId, subscription.id, services)
      await store.remove(services.db, id)
      const about = { by: user, in: subscription.id, details: { title } }
      await record('documentDeleted', about, services)
      return {}
    },

    async exportDocuments({ subscription }, { db }) {
      requireFeature(subscription, 'documentExport')
      return { documents: store.eachOf(db, subscription.id) }
    },
  },

  async usage(subscriptionId, { db }) {
    const { count, bytes } = await store.measure(db, subscriptionId)
    return { documents: count, documentStorage: bytes }
  },

  exportUser: (userId, { db }, shut) => store.eachBy(db, userId, shut),
  aboutProject: (subscriptionId, { db }) => store.measure(db, subscriptionId),
} satisfies ServerModule<'documents'>

async function requireDocument(id: string, subscriptionId: string, { db }: Services) {
  const document = await store.find(db, { id, subscriptionId })
  if (!document) throw new Refusal('documentNotFound')
  return document
}

function bytesOf({ title, text }: { title: string; text: string }) {
  return Buffer.byteLength(title) + Buffer.byteLength(text)
}
