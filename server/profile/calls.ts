import { limits } from '#config/limits.ts'
import { chosenKinds, type ChosenKind } from '#contract/notices.ts'
import { nameOnly } from '#contract/project-name.ts'
import { record } from '../activity/record.ts'
import type { CurrentUser, Handlers, Services } from '../core/services.ts'
import { toFactor } from '../identity/factor-calls.ts'
import { Refusal } from '../platform/refusal.ts'

export const profileCalls = {
  async getUser({ user: { uid } }, { store, identity }) {
    const [user, hasFactor] = await Promise.all([
      store.users.findRecord(uid),
      store.factors.has(uid),
    ])
    if (!user) throw new Refusal('sessionEnded')
    return {
      user: {
        id: user.id,
        create_time: user.createdAt.toISOString(),
        display_name: user.displayName,
        avatar_url: user.avatarUrl,
        language: user.language,
        last_updated: user.updatedAt.toISOString(),
        has_password: await identity.hasPassword(user),
        providers: user.providers,
        undeliverable_email: user.undeliverableEmail,
        has_second_factor: hasFactor,
        notices: ofKinds((kind) => user.notices[kind] !== false),
        notice_ways: ofKinds((kind) => ({ app: true, digest: false, ...user.noticeWays[kind] })),
      },
    }
  },

  async exportUser({ user }, services) {
    const { uid } = user
    // On one connection, they share a round trip.
    const [record, links, sessions, accessTokens, joinLinks, joinRequests, factors, asking] =
      await services.transaction(({ store }) =>
        Promise.all([
          store.users.find(uid),
          store.providerLinks.listOf(uid),
          store.sessions.listOf(uid),
          store.accessTokens.listOf(uid),
          store.joinLinks.listOf(uid),
          store.joinRequests.listOf(uid),
          store.factors.listOf(uid),
          store.members.listAsking(uid, services.now()),
        ]),
      )
    if (!record) throw new Refusal('sessionEnded')
    const { activity, cards, invites, subscriptions } = services.store
    const shut = user.session.secondStepAt ? [] : asking
    return {
      data: {
        user: record,
        sign_in_providers: links.map(({ userId: _, ...link }) => link),
        factors: factors.map(toFactor),
        sessions: sessions.map(({ userId: _, ...session }) => session),
        access_tokens: accessTokens,
        join_links: joinLinks.filter(({ subscription_id: id }) => !shut.includes(id)),
        join_requests: joinRequests,
        projects: inEach(
          subscriptions.eachOf(uid),
          ({ id, settings, plan_id, status, owner_id, permissions, created }) => ({
            id,
            settings: shut.includes(id) ? nameOnly(settings) : settings,
            plan_id,
            status,
            is_owner: owner_id === uid,
            permissions: Object.entries(permissions).flatMap(([key, holders]) =>
              holders.includes(uid) ? [key] : [],
            ),
            created,
          }),
        ),
        invitations_received: user.claimed ? invites.eachFor(user.email) : [],
        invitations_sent: invites.eachSentBy(uid, shut),
        payment_methods: inEach(
          cards.eachOf(uid),
          ({ id, subscriptionId, brand, last4, expMonth, expYear, createdAt }) => ({
            id,
            subscription_id: subscriptionId,
            card: { brand, last4, exp_month: expMonth, exp_year: expYear },
            added: createdAt,
          }),
        ),
        activity: activity.eachOfUser(uid, limits.activity.exported),
        ...exportsOfModules(uid, services, shut),
      },
    }
  },

  async saveUser({ input, user }, services) {
    const { display_name: displayName, language, notices, notice_ways: noticeWays } = input
    const changes = {
      ...(displayName && { displayName }),
      ...(language && { language }),
      ...(notices && { notices }),
      ...(noticeWays && { noticeWays }),
    }
    await Promise.all([
      services.store.users.update(user.uid, changes, services.now()),
      language && services.jobs.add('updateContacts', { ownerId: user.uid }),
      displayName && spreadName(user, displayName, services),
    ])
    return {}
  },

  async updateProfile({ input, user }, services) {
    await Promise.all([
      services.store.users.update(user.uid, input, services.now()),
      spreadName(user, input.displayName, services),
    ])
    return {}
  },
} satisfies Partial<Handlers>

function ofKinds<Chosen>(choiceOf: (kind: ChosenKind) => Chosen) {
  return Object.fromEntries(chosenKinds.map((kind) => [kind, choiceOf(kind)])) as Record<
    ChosenKind,
    Chosen
  >
}

function exportsOfModules(userId: string, services: Services, shut: string[]) {
  const { hooks } = services.modules
  return Object.fromEntries(
    hooks.flatMap(([name, { exportUser }]) =>
      exportUser ? [[name, exportUser(userId, services, shut)]] : [],
    ),
  )
}

async function* inEach<Row, Shown>(pages: AsyncIterable<Row[]>, show: (row: Row) => Shown) {
  for await (const page of pages) yield page.map(show)
}

async function spreadName(user: CurrentUser, name: string, services: Services) {
  await services.identity.updateUser(user.uid, { displayName: name })
  if (name === user.displayName) return
  const details = { from: user.displayName, to: name }
  await record('nameChanged', { by: { id: user.uid, displayName: name }, details }, services)
}
