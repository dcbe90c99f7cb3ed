import { limits } from '#config/limits.ts'
import { recordName } from '../activity/activity.ts'
import { handle } from '../core/handle.ts'
import { rowOf } from '../identity/sessions.ts'

export const getUser = handle('getUser', async ({ user: current }, { store, identity }) => {
  const user = await rowOf(current, { store })
  const links = await store.providerLinks.listOf(user.id)
  return {
    user: {
      id: user.id,
      create_time: user.createdAt.toISOString(),
      display_name: user.displayName,
      avatar_url: user.avatarUrl,
      language: user.language,
      last_updated: user.updatedAt.toISOString(),
      has_password: await identity.hasPassword(user.id),
      providers: links.map(({ provider }) => provider),
    },
  }
})

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

export const saveUser = handle(
  'saveUser',
  async ({ input: { display_name, language }, user }, services) => {
    const { store, identity, now } = services
    await store.users.update(
      user.uid,
      { ...(display_name && { displayName: display_name }), ...(language && { language }) },
      now(),
    )
    if (language) await services.jobs.add('updateContacts', { ownerId: user.uid })
    if (!display_name) return {}
    await identity.updateUser(user.uid, { displayName: display_name })
    await recordName(user, display_name, services)
    return {}
  },
)

export const updateProfile = handle('updateProfile', async ({ input, user }, services) => {
  const { identity, store, now } = services
  await store.users.update(user.uid, input, now())
  await identity.updateUser(user.uid, input)
  await recordName(user, input.displayName, services)
  return {}
})
