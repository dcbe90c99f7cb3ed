import { findPlan, makesAdmin, ownerPermissions, withDefault } from '#contract/access.ts'
import type { PlanId } from '#config/plans.ts'
import { nameFrom } from '../../server/identity/new-accounts.ts'
import { planOfPrice } from '../../server/billing/plans.ts'
import type { Services } from '../../server/core/services.ts'
import type { ProviderSubscription } from '../../server/providers/payments/payments.ts'
import type { MovedProject, MovedUser, PeopleFile } from './people-file.ts'

export type NewProject = MovedProject & { planId: PlanId; paidBy?: ProviderSubscription }

/** What an import adds, after what is here already is left out. */
export type Move = {
  users: (MovedUser & { displayName: string })[]
  projects: NewProject[]
  /** How many people and projects of the file are here already. */
  here: { people: number; projects: number }
  /** People who have another account here, by their address. `account` is its id. */
  known: { email: string; account: string }[]
}

type Found = Awaited<ReturnType<typeof findAll>>

/** Compares a file with what is here and at the payment provider. Each mistake names its place. */
export async function checkMove(file: PeopleFile, services: Services) {
  const mistakes: string[] = []
  const wrong = (place: string, problem: string) => void mistakes.push(`${place}: ${problem}`)
  const found = await findAll(file, services)
  const people = checkUsers(file.users, found, services, wrong)
  const projects = checkProjects(file.projects, people.ids, found, wrong)
  const move: Move = {
    users: people.users,
    projects,
    here: { people: people.here, projects: file.projects.length - projects.length },
    known: people.known,
  }
  return { mistakes, move }
}

type Wrong = (place: string, problem: string) => void

async function findAll({ users, projects }: PeopleFile, services: Services) {
  const { moving } = services.store
  const paidBy = projects.flatMap(({ stripeSubscriptionId: id }) => id ?? [])
  const named = projects.flatMap(({ ownerId, members, invites }) => [
    ownerId,
    ...members.map(({ userId }) => userId),
    ...invites.flatMap(({ hostId }) => hostId ?? []),
  ])
  const invited = projects.flatMap(({ invites }) => invites.map(({ email }) => email))
  const [accounts, known, links] = await Promise.all([
    moving.findUsers({
      ids: [...users.map(({ id }) => id), ...named],
      emails: [...users.map(({ email }) => email), ...invited],
    }),
    moving.findProjects({ ids: projects.map(({ id }) => id), paidBy }),
    moving.findLinks(users.flatMap(({ providers }) => providers.map(({ subject }) => subject))),
  ])
  return { accounts, projects: known, links, live: await findLive(paidBy, services) }
}

/** Those at the payment provider that have not ended, by their ids. */
async function findLive(ids: string[], { payments }: Services) {
  const live = new Map<string, ProviderSubscription>()
  const wanted = new Set(ids)
  if (wanted.size > 0)
    for await (const current of payments.listLiveProviderSubscriptions())
      if (wanted.has(current.id)) live.set(current.id, current)
  return live
}

/** Whom a user’s id in the file means: an account, or a sentence why that is not certain. */
type Meant = { account: string; email: string } | { problem: string }

function checkUsers(
  users: MovedUser[],
  { accounts, links }: Found,
  { identity }: Services,
  wrong: Wrong,
) {
  const byId = new Map(accounts.map((account) => [account.id, account]))
  const byEmail = new Map(accounts.map((account) => [account.email, account]))
  const ids = new Map<string, Meant>(accounts.map(({ id, email }) => [id, { account: id, email }]))
  const seen = { ids: new Set<string>(), emails: new Set<string>(), links: new Set<string>() }
  const linked = new Set(links.map(({ provider, subject }) => JSON.stringify([provider, subject])))
  const added: Move['users'] = []
  const known: Move['known'] = []
  let here = 0
  for (const [index, user] of users.entries()) {
    const place = `users[${index}]`
    const { id, email } = user
    if (isRepeated(seen.ids, id)) {
      wrong(`${place}.id`, `${id} stands in the file twice`)
      continue
    }
    if (isRepeated(seen.emails, email)) wrong(`${place}.email`, `${email} stands in the file twice`)
    if (user.passwordHash !== undefined && !identity.keepHashes)
      wrong(
        `${place}.passwordHash`,
        'with IDENTITY=firebase passwords are at Firebase: leave the hashes out',
      )
    const same = byId.get(id)
    const holder = byEmail.get(email)
    if (same) {
      // Ids of two other systems may be equal, and their people are not.
      if (same.email !== email)
        wrong(
          `${place}.id`,
          `the account ${id} is here with the address ${same.email}: if it is the same person, write that address`,
        )
      here++
    } else if (holder) {
      known.push({ email, account: holder.id })
      ids.set(
        id,
        holder.claimed && user.emailVerified
          ? { account: holder.id, email }
          : {
              problem: `${email} has an account here, and it is not proved on both sides that it is the same person’s: let them verify the address, or delete one of the two`,
            },
      )
    } else {
      for (const [at, { provider, subject }] of user.providers.entries()) {
        const link = JSON.stringify([provider, subject])
        if (linked.has(link) || isRepeated(seen.links, link))
          wrong(`${place}.providers[${at}]`, 'this is linked to another person')
        if (user.providers.findIndex((other) => other.provider === provider) < at)
          wrong(`${place}.providers[${at}]`, `a person has one account of ${provider}`)
      }
      ids.set(id, { account: id, email })
      added.push({ ...user, displayName: user.displayName || nameFrom(email) })
    }
  }
  return { users: added, known, here, ids }
}

function checkProjects(
  projects: MovedProject[],
  ids: Map<string, Meant>,
  found: Found,
  wrong: Wrong,
) {
  const seen = { ids: new Set<string>(), paidBy: new Set<string>() }
  const here = new Set(found.projects.map(({ id }) => id))
  return projects.flatMap((project, index): NewProject[] => {
    const place = `projects[${index}]`
    const { id, stripeSubscriptionId: paidBy } = project
    if (isRepeated(seen.ids, id)) wrong(`${place}.id`, `${id} stands in the file twice`)
    if (here.has(id)) return []
    if (paidBy !== undefined && isRepeated(seen.paidBy, paidBy))
      wrong(`${place}.stripeSubscriptionId`, 'pays for another project of the file too')
    const people = checkPeople(project, place, ids, wrong)
    const payment = checkPayment(project, place, found, wrong)
    return [{ ...project, ...people, ...payment, planId: project.planId as PlanId }]
  })
}

/** Puts our ids in place of the file’s, and the owner among the members. */
function checkPeople(
  { ownerId, members, invites }: MovedProject,
  place: string,
  ids: Map<string, Meant>,
  wrong: Wrong,
) {
  const emails = new Set<string>()
  const meantBy = (id: string, at: string) => {
    const meant = ids.get(id)
    if (meant && 'account' in meant) {
      emails.add(meant.email)
      return meant.account
    }
    wrong(at, meant?.problem ?? `there is no user ${id}, neither in the file nor here`)
    return id
  }
  const owner = meantBy(ownerId, `${place}.ownerId`)
  const held = new Map([[owner, ownerPermissions]])
  const seen = new Set<string>()
  for (const [index, { userId, permissions }] of members.entries()) {
    const at = `${place}.members[${index}].userId`
    const member = meantBy(userId, at)
    if (isRepeated(seen, member)) wrong(at, `${userId} is a member twice`)
    held.set(member, withDefault([...permissions, ...(held.get(member) ?? [])]))
  }
  const invited = new Set<string>()
  const checked = invites.map(({ hostId = ownerId, ...invite }, index) => {
    const at = `${place}.invites[${index}]`
    if (emails.has(invite.email)) wrong(`${at}.email`, `${invite.email} is a member`)
    if (isRepeated(invited, invite.email)) wrong(`${at}.email`, `${invite.email} is invited twice`)
    const host = meantBy(hostId, `${at}.hostId`)
    if (!makesAdmin(held.get(host) ?? []))
      wrong(`${at}.hostId`, `${hostId} is no administrator of the project, and can’t invite`)
    return { ...invite, hostId: host, permissions: withDefault(invite.permissions) }
  })
  return {
    ownerId: owner,
    members: Array.from(held, ([userId, permissions]) => ({ userId, permissions })),
    invites: checked,
  }
}

function checkPayment(
  { id, planId, status, stripeSubscriptionId: paidBy, invites }: MovedProject,
  place: string,
  { live, projects }: Found,
  wrong: Wrong,
) {
  const plan = findPlan(planId)
  const at = `${place}.stripeSubscriptionId`
  if (!plan) wrong(`${place}.planId`, `config/plans.ts has no plan ${planId}`)
  if (status === 'canceled' && invites.length > 0)
    wrong(`${place}.invites`, 'a canceled project invites nobody')
  const isPaid = status === 'active' && plan !== undefined && !plan.free
  if (paidBy === undefined) {
    if (isPaid) wrong(at, `must be given, because the plan ${planId} costs something`)
    return {}
  }
  if (!isPaid) {
    if (plan)
      wrong(
        at,
        `must be left out, because ${plan.free ? 'the plan is free' : 'the project is canceled'}`,
      )
    return {}
  }
  const current = live.get(paidBy)
  if (!current || current.state !== 'active') {
    wrong(at, `at the payment provider there is no ${paidBy} that runs`)
    return {}
  }
  const paid = planOfPrice(current.priceId)?.id
  if (paid === undefined)
    wrong(at, `it pays the price ${current.priceId}, which no plan of config/plans.ts names`)
  else if (paid !== planId) wrong(`${place}.planId`, `${paidBy} pays for the plan ${paid}`)
  const payer = projects.find(({ providerSubscriptionId }) => providerSubscriptionId === paidBy)?.id
  const payee = payer ?? current.subscriptionId
  if (payee && payee !== id) wrong(at, `pays for the project ${payee}`)
  return { paidBy: current }
}

function isRepeated(seen: Set<string>, value: string) {
  return seen.size === seen.add(value).size
}
