import { limits } from '#config/limits.ts'
import { handle } from '../core/handle.ts'
import { rowOf } from '../identity/sessions.ts'

export const exportUser = handle('exportUser', async ({ user }, { store }) => {
  const { uid } = user
  const [record, links, sessions, subscriptions, received, sent, cards, activity] =
    await Promise.all([
      rowOf(user, { store }),
      store.providerLinks.listOf(uid),
      store.sessions.listOf(uid),
      store.subscriptions.listOf(uid),
      user.emailVerified ? store.invites.listAllFor(user.email) : [],
      store.invites.listSentBy(uid),
      store.cards.listOf(uid),
      store.activity.allOf(uid, limits.activity.exported),
    ])
  return {
    data: {
      user: record,
      sign_in_providers: links.map(({ userId: _, ...link }) => link),
      sessions: sessions.map(({ userId: _, ...session }) => session),
      projects: subscriptions.map(
        ({ id, settings, plan_id, status, owner_id, permissions, created }) => ({
          id,
          settings,
          plan_id,
          status,
          is_owner: owner_id === uid,
          permissions: Object.entries(permissions).flatMap(([key, holders]) =>
            holders.includes(uid) ? [key] : [],
          ),
          created,
        }),
      ),
      invitations_received: received,
      invitations_sent: sent,
      payment_methods: cards.map(
        ({ card: { id, subscriptionId, brand, last4, expMonth, expYear, createdAt } }) => ({
          id,
          subscription_id: subscriptionId,
          card: { brand, last4, exp_month: expMonth, exp_year: expYear },
          added: createdAt,
        }),
      ),
      activity,
    },
  }
})
