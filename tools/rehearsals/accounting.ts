import type { Fact, Ledger } from './ledger.ts'
import type { Look } from './postgres.ts'
import { counted, type Row } from './report.ts'

/** A time in which a mail may be sent twice. */
export type Exempt = { from: number; to: number }

type Project = { id: string; owner: string | null; plan: string; status: string; name: string }

/** Compares what was acknowledged with what the database holds, once all jobs are done. */
export async function account(ledger: Ledger, look: Look, exempt?: Exempt): Promise<Row[]> {
  return [
    { what: 'acknowledged changes', had: ledger.facts.length },
    counted('acknowledged changes that are missing', await findMissing(ledger, look)),
    counted('changes carried out more often than acknowledged', await findDoubled(ledger, look)),
    counted('mails sent twice', await findTwice(look, exempt)),
    counted('invitations without a mail', await findUnmailed(ledger, look)),
    counted('projects with too many or too few payers', await findMispaid(ledger, look)),
  ]
}

async function findMissing(ledger: Ledger, look: Look) {
  const [users, projects, members, invites] = await Promise.all([
    look<{ email: string; verified: boolean }>('select email, email_verified verified from users'),
    look<Project>(`select s.id, u.email owner, plan_id plan, status, settings->>'name' name
      from subscriptions s left join users u on u.id = owner_id`),
    look<{ project: string; email: string }>(
      'select subscription_id project, email from members join users on users.id = user_id',
    ),
    look<{ id: string; status: string }>('select id, status from invites'),
  ])
  const userBy = new Map(users.map((user) => [user.email, user]))
  const projectBy = new Map(projects.map((project) => [project.id, project]))
  const inviteBy = new Map(invites.map((invite) => [invite.id, invite]))
  const isMember = new Set(members.map(({ project, email }) => `${project} ${email}`))

  function isThere(fact: Fact): boolean {
    switch (fact.kind) {
      case 'signedUp':
        return userBy.has(fact.email)
      case 'verified':
        return userBy.get(fact.email)?.verified === true
      case 'created':
        return projectBy.get(fact.project)?.owner === fact.owner
      case 'renamed':
        return projectBy.get(fact.project)?.name === fact.name
      case 'planChanged':
        return projectBy.get(fact.project)?.plan === fact.plan
      case 'invited':
        return inviteBy.has(fact.inviteId)
      case 'joined':
        return isMember.has(`${fact.project} ${fact.email}`)
      case 'canceled':
        return projectBy.get(fact.project)?.status === 'canceled'
    }
  }

  const states = lasting(ledger).filter((fact) => !isThere(fact))
  const entries = await countEntries(ledger, look)
  return [
    ...states.map((fact) => `${fact.kind} ${JSON.stringify(fact)}`),
    ...entries.filter(({ more }) => more < 0).map(({ text }) => text),
  ]
}

/** Of changes that replace each other, only the last one shows in the rows. */
function lasting(ledger: Ledger) {
  const last = new Map<string, Fact>()
  ledger.facts.forEach((fact, index) => {
    const replaces = fact.kind === 'renamed' || fact.kind === 'planChanged'
    const isUnsure = 'project' in fact && ledger.isOpen(fact.project)
    if (!(replaces && isUnsure))
      last.set(replaces ? `${fact.kind} ${fact.project}` : `${index}`, fact)
  })
  return [...last.values()]
}

/** The kind of entry that a change leaves in the activity of its project. */
const entryOf: Partial<Record<Fact['kind'], string>> = {
  created: 'projectCreated',
  renamed: 'settingsChanged',
  planChanged: 'planChanged',
  invited: 'inviteSent',
  joined: 'memberJoined',
  canceled: 'projectCanceled',
}

/** By how much the activity has other entries than the ledger. Replaced changes show there too. */
async function countEntries(ledger: Ledger, look: Look) {
  const entries = await look<{ project: string; kind: string; count: number }>(
    `select subscription_id project, kind, count(*)::int from activity
     where subscription_id is not null group by 1, 2`,
  )
  const found = new Map(entries.map(({ project, kind, count }) => [`${kind} ${project}`, count]))
  const due = new Map<string, number>()
  for (const fact of ledger.facts) {
    const kind = entryOf[fact.kind]
    if (!kind || !('project' in fact) || ledger.isOpen(fact.project)) continue
    const key = `${kind} ${fact.project}`
    due.set(key, (due.get(key) ?? 0) + 1)
  }
  return [...due].flatMap(([key, count]) => {
    const more = (found.get(key) ?? 0) - count
    return more === 0
      ? []
      : { more, text: `${key}: ${count} acknowledged, ${count + more} recorded` }
  })
}

async function findDoubled(ledger: Ledger, look: Look) {
  return (await countEntries(ledger, look)).filter(({ more }) => more > 0).map(({ text }) => text)
}

/** One address gets one mail of these subjects about one project; other mails differ in their text. */
async function findTwice(look: Look, { from, to }: Exempt = { from: 0, to: 0 }) {
  const mails = await look<{ to: string; subject: string; times: number[] }>(
    `select "to", subject, array_agg(extract(epoch from at)::float8 * 1000) times from kept_mails
     where subject not like 'New sign-in%'
     group by "to", subject, case when subject like 'Your receipt%' then text end having count(*) > 1`,
  )
  return mails
    .filter(({ times }) => !times.some((at) => at >= from && at <= to))
    .map(({ to, subject, times }) => `${times.length} × "${subject}" to ${to}`)
}

async function findUnmailed(ledger: Ledger, look: Look) {
  const mailed = await look<{ to: string }>(
    `select "to" from kept_mails where subject like '%invites you to%'`,
  )
  // An invitee who answers before the mail leaves gets none.
  const pending = await look<{ id: string }>(`select id from invites where status = 'pending'`)
  const to = new Set(mailed.map((mail) => mail.to))
  const open = new Set(pending.map(({ id }) => id))
  return ledger
    .of('invited')
    .flatMap(({ email, inviteId }) => (open.has(inviteId) && !to.has(email) ? [email] : []))
}

/** A paid project has one running subscription at the provider, any other has none. */
async function findMispaid(ledger: Ledger, look: Look) {
  const rows = await look<{ project: string; due: number; running: number }>(
    `select row.id project, (row.status = 'active' and row.plan_id <> 'free')::int due, count(paid.id)::int running
     from subscriptions row
     left join sandbox.objects paid on paid.customer = row.stripe_customer_id
       and paid.type = 'subscription' and paid.body->>'status' not in ('canceled', 'incomplete_expired')
     where row.status <> 'incomplete' group by row.id`,
  )
  return rows
    .filter(({ project, due, running }) => due !== running && !ledger.isOpen(project))
    .map(({ project, due, running }) => `${project}: ${running} instead of ${due}`)
}

/** Milliseconds between an acknowledged invitation and its mail, at most. */
export async function slowestMail(ledger: Ledger, look: Look) {
  const mails = await look<{ to: string; at: number }>(
    `select "to", extract(epoch from at)::float8 * 1000 as at from kept_mails where subject like '%invites you to%'`,
  )
  const mailedAt = new Map(mails.map(({ to, at }) => [to, at]))
  return Math.max(
    0,
    ...ledger.of('invited').map(({ email, at }) => (mailedAt.get(email) ?? at) - at),
  )
}
