import { rateLimits } from '#config/limits.ts'
import { projectName } from '#contract/project-name.ts'
import { mailboxKey } from '../../server/core/mailboxes.ts'
import type { LimitName } from '../../server/core/rate-limits.ts'
import type { Services } from '../../server/core/services.ts'
import { accountOf } from '../../server/identity/guessing.ts'
import { pseudonym } from '../../server/platform/keyed-hash.ts'
import type { Count } from '../../server/store/count-of.ts'
import type { User } from '../../server/store/users.ts'
import { requirePerson, type Answer, type Desk } from './command.ts'
import { entryShown, jobShown } from './shown.ts'

/** What is known of a person: how they sign in, where, their projects, limits and mails. */
export async function person({ services }: Desk, who: string): Promise<Answer> {
  const user = await requirePerson(who, services)
  const { store, identity, keyedHash, now } = services
  const [
    record,
    factors,
    recoveryCodes,
    sessions,
    projects,
    invites,
    limits,
    jobs,
    refusedMails,
    { activity },
  ] = await Promise.all([
    store.users.findRecord(user.id),
    store.factors.listOf(user.id),
    store.factors.countRecoveryCodes(user.id),
    store.sessions.listOf(user.id),
    store.subscriptions.listOf(user.id),
    store.invites.listOpenFor(user.email, now()),
    store.rateLimits.listOf({ whose: countedAs(user, services) }),
    store.queue.list({ about: [user.id, user.email], limit: 20 }),
    store.refusedMails.listTo(user.email, 10),
    store.activity.listOf(user.id, { page: 1, pageSize: 10 }),
  ])
  // Another identity provider may not answer.
  const hasPassword = await identity.hasPassword(record!).catch(() => false)
  return {
    id: user.id,
    email: user.email,
    emailVerified: user.emailVerified,
    name: user.displayName,
    language: user.language,
    disabled: user.disabled,
    created: user.createdAt,
    signIn: [...(hasPassword ? ['password'] : []), ...record!.providers],
    secondStep: user.hasSecondStep,
    recoveryCodes,
    /** When an operator's removal of the factors takes place. */
    factorsRemoved: user.factorsRemovedAt,
    /** What lines of the log about this person have. */
    log: { user: pseudonym(keyedHash, user.id), account: pseudonym(keyedHash, user.email) },
    factors: factors.map(({ id, type, displayName, createdAt, lastUsedAt }) => ({
      id,
      type,
      name: displayName,
      added: createdAt,
      used: lastUsedAt,
    })),
    sessions: sessions.map(({ id, signedInAt, usedAt, address, userAgent }) => ({
      id,
      signedIn: signedInAt,
      used: usedAt,
      address,
      userAgent,
    })),
    accessTokens: (await store.accessTokens.listOf(user.id)).map(({ name }) => name),
    projects: projects.map(({ id, settings, plan_id, status, payment, owner_id, permissions }) => ({
      id,
      name: projectName(settings),
      plan: plan_id,
      status,
      payment,
      owner: owner_id === user.id,
      permissions: Object.keys(permissions).filter((key) =>
        permissions[key as keyof typeof permissions]!.includes(user.id),
      ),
    })),
    invites: invites.map(({ id, subscription_id, permissions, host_name }) => ({
      id,
      project: subscription_id,
      permissions,
      host: host_name,
    })),
    limits: limits.map(limitShown).filter(({ limit, count }) => count > 0 && !tellsOnly.has(limit)),
    jobs: jobs.map(jobShown),
    /** Mails that are not tried again, because a mail server does not know the address. */
    refusedMails: refusedMails.map(({ mail, at, reply }) => ({ mail, at, reply })),
    activity: activity.map(entryShown),
  }
}

/** Beyond these, nobody is refused: something is not noted or mailed once more. */
const tellsOnly = new Set<LimitName>([
  'failureNotedByAccountAndNetwork',
  'failureNotedByAccount',
  'newDeviceNoticesByAccount',
])

function limitShown({ key, points, expire }: Count) {
  const [limit, , call] = key.split(':') as [LimitName, string, string?]
  const { tries } = rateLimits[limit]
  const refuses = points >= tries
  return { limit, call: call ?? null, count: points, tries, refuses, until: new Date(expire) }
}

/** The names under which rate limits count what is tried with an account, and mails to it. */
export function countedAs(user: User, services: Services) {
  return [user.id, accountOf(user.email, services), mailboxKey(user.email, services)]
}
