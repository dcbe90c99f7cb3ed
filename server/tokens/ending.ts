import { limits } from '#config/limits.ts'
import { adminPermissions } from '#contract/access.ts'
import { projectName } from '#contract/project-name.ts'
import { findPerson, record } from '../activity/record.ts'
import type { JobPayloads } from '../core/jobs.ts'
import type { Services } from '../core/services.ts'
import { after, seconds } from '../platform/time.ts'

/**
 * Ends a person's access tokens and join links, or those for one project, with the access that they
 * had. The administrators of projects that had tokens are told. The caller has locked the user or the
 * project.
 */
export async function endTokensAndLinks(
  userId: string,
  services: Services,
  subscriptionId: string | null = null,
) {
  const { store, jobs, now } = services
  const [ended] = await Promise.all([
    store.accessTokens.removeAllOf({ userId, subscriptionId, now: now() }),
    endJoinLinks(userId, services, subscriptionId),
  ])
  if (ended.length === 0) return
  const maker = (await findPerson(userId, services))!
  for (const { name, subscriptionId: id } of ended) {
    const of = { to: maker, details: { made: name } }
    if (id === null) await record('ownTokenEnded', of, services)
    else await record('tokenEnded', { ...of, in: id }, services)
  }
  for (const [id, of] of Map.groupBy(ended, (token) => token.subscriptionId)) {
    const tokens = of.map(({ name }) => name)
    if (id !== null)
      await jobs.add('mailTokensEnded', { subscriptionId: id, maker: maker.displayName, tokens })
  }
}

/** Ends the join links that a person made, to one project or to all. */
export async function endJoinLinks(
  hostId: string,
  services: Services,
  subscriptionId: string | null = null,
) {
  const ended = await services.store.joinLinks.removeAllOf({ hostId, subscriptionId })
  if (ended.length === 0) return
  const host = await findPerson(hostId, services)
  for (const { subscriptionId: id } of ended)
    await record('joinLinkEnded', { to: host, in: id }, services)
}

/** Runs as a job, so that whoever has just lost the project's administration is no reader. */
export async function mailTokensEnded(
  { subscriptionId, maker, tokens }: JobPayloads['mailTokensEnded'],
  services: Services,
) {
  await services.transaction(async ({ store, jobs }) => {
    const subscription = await store.subscriptions.find(subscriptionId)
    if (subscription?.status !== 'active') return
    const project = projectName(subscription.settings)
    for (const admin of await store.users.listHolders(subscriptionId, adminPermissions)) {
      const { email: to, displayName: name, language, claimed } = admin
      const values = { name, project, subscriptionId, maker, tokens }
      if (claimed) await jobs.add('sendMail', { mail: 'tokensEnded', to, language, values })
    }
  })
}

/** Mails the makers of tokens that end soon, once. */
export async function remindOfTokens(services: Services) {
  await services.transaction(async ({ store, jobs, now }) => {
    const by = after(now(), limits.accessTokens.warned)
    for (const token of await store.accessTokens.takeEnding({ by, now: now() })) {
      const { id: tokenId, subscriptionId, email: to, displayName: name, language } = token
      const expires = seconds(token.expiresAt)
      const values = { name, tokenId, token: token.name, of: subscriptionId, expires }
      await jobs.add('sendMail', { mail: 'tokenEnds', to, language, values })
    }
  })
}
