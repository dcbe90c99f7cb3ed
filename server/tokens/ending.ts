import { limits } from '#config/limits.ts'
import { adminPermissions } from '#contract/access.ts'
import { projectName } from '#contract/project-name.ts'
import { findPerson, record } from '../activity/record.ts'
import type { JobPayloads } from '../core/jobs.ts'
import { tell } from '../core/notices.ts'
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
  await services.transaction(async (services) => {
    const { store } = services
    const subscription = await store.subscriptions.find(subscriptionId)
    if (subscription?.status !== 'active') return
    const project = projectName(subscription.settings)
    const values = { project, subscriptionId, maker, tokens }
    for (const admin of await store.users.listHolders(subscriptionId, adminPermissions))
      if (admin.claimed) await tell(admin, 'tokensEnded', values, services)
  })
}

/** Mails the makers of tokens that end soon, once. */
export async function remindOfTokens(services: Services) {
  await services.transaction(async (services) => {
    const { store, now } = services
    const by = after(now(), limits.accessTokens.warned)
    for (const token of await store.accessTokens.takeEnding({ by, now: now() })) {
      const { id: tokenId, userId, name, subscriptionId: of, expiresAt } = token
      const values = { tokenId, token: name, of, expires: seconds(expiresAt) }
      await tell({ ...token, id: userId }, 'tokenEnds', values, services)
    }
  })
}
