import { fallbackLanguage } from '#config/languages.ts'
import { formatDate, formatDeadline, formatTime, joinTime } from '#contract/dates.ts'
import { isChosen, type ChosenKind } from '#contract/notices.ts'
import type { ServerModule } from '../../server/core/modules.ts'
import type { Services } from '../../server/core/services.ts'
import { openQuiet } from '../../server/platform/quiet.ts'
import { limits } from './limits.ts'
import { lineFor } from './line.ts'
import * as store from './store.ts'

/** What the mail of the day says of one project: how often what happened, and the newest of it. */
type OfProject = {
  project: string
  counts: [ChosenKind, number][]
  lines: string[]
  more: number
}
/** `others`: how many notices are about projects that it does not list. */
export type Digest = { count: number; projects: OfProject[]; others: number }

type DigestMail = ServerModule<'notices'>['mails']['notices.digest']

const { digest } = limits

/** Mails what waits, once a minute to those who are due. */
export function startWork(services: Services) {
  const { now, log } = services
  const isQuiet = openQuiet()
  let next = 0
  let working: Promise<void> | undefined

  async function work() {
    for (const id of await store.listDue(services.db, now()))
      await services.transaction(async (services) => sendDigest(id, services))
  }

  return {
    look() {
      if (working || now().getTime() < next) return
      next = now().getTime() + digest.look
      working = work()
        .catch((err: unknown) => {
          if (!isQuiet()) log.warn({ err }, 'the mails of the day can not be sent')
        })
        .finally(() => (working = undefined))
    },
    async stop() {
      await working
    },
  }
}

/** Another server that took the same person has found nothing left. */
async function sendDigest(user: string, services: Services) {
  const waiting = await store.take(services.db, user, services.now())
  const [reader] = waiting
  if (!reader) return
  const { email: to, displayName: name, language } = reader
  const byProject = [...Map.groupBy(waiting, ({ subscriptionId }) => subscriptionId).values()]
  const listed = byProject.slice(0, digest.projects)
  const projects = await Promise.all(listed.map((rows) => summaryOf(rows, services)))
  const others = byProject.slice(digest.projects).flat().length
  const values = { name, count: waiting.length, projects, others }
  const stop = { user, kind: 'digest' } as const
  await services.jobs.add('sendMail', { mail: 'notices.digest', to, language, values, stop })
}

async function summaryOf(rows: store.Waiting[], services: Services): Promise<OfProject> {
  const kinds = Map.groupBy(rows, ({ kind }) => kind)
  const lines = await Promise.all(
    rows.slice(0, digest.lines).map(async (row) => {
      const { title } = await lineFor(row, row.language, services)
      return `${title} · ${timeOf(row)}`
    }),
  )
  return {
    project: rows[0]!.project,
    counts: [...kinds].flatMap(([kind, of]) => (isChosen(kind) ? [[kind, of.length]] : [])),
    lines,
    more: rows.length - lines.length,
  }
}

/** In the reader's language and time zone. */
function timeOf({ at, language: known, zone }: store.Waiting) {
  const [moment, language] = [at.toISOString(), known ?? fallbackLanguage]
  if (!zone) return formatDeadline(moment, language)
  return joinTime(formatDate(moment, language, zone), formatTime(moment, language, zone), language)
}

export const digestMail: DigestMail = ({ count, projects, others }, { t, to }) => {
  const parts = projects.map(({ project, counts, lines, more }) => ({
    title: [
      project || t('common.untitledProject'),
      ...counts.map(([kind, count]) => t(`mails.notices.digest.counts.${kind}`, { count })),
    ].join(' · '),
    lines: more > 0 ? [...lines, t('mails.notices.digest.more', { count: more })] : lines,
  }))
  const rest = { title: t('mails.notices.digest.others', { count: others }), lines: [] }
  return {
    words: { count },
    parts: others > 0 ? [...parts, rest] : parts,
    link: to('/notices'),
  }
}
