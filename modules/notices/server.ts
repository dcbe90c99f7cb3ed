import type { ServerModule } from '../../server/core/modules.ts'
import type { CurrentUser } from '../../server/core/services.ts'
import { newId } from '../../server/platform/ids.ts'
import { Refusal } from '../../server/platform/refusal.ts'
import { after, seconds } from '../../server/platform/time.ts'
import type { Notice } from './contract.ts'
import { digestMail, startWork, type Digest } from './digest.ts'
import { limits } from './limits.ts'
import { lineFor } from './line.ts'
import * as store from './store.ts'

declare module '../../server/mails/mails.ts' {
  interface ModuleMails {
    'notices.digest': Digest
  }
}

export const server = {
  calls: {
    async countNotices({ user }, { db, now }) {
      const { unread, zone } = await store.count(db, readerOf(user, now()))
      return { unread, time_zone: zone }
    },

    async listNotices({ input, user }, services) {
      const { db, now } = services
      const { language = user.language, ...wanted } = input
      const { rows, total } = await store.list(db, readerOf(user, now()), wanted)
      const notices = await Promise.all(
        rows.map(async (row) => toNotice(row, await lineFor(row, language, services))),
      )
      return { notices, total }
    },

    async markNoticesRead({ input, user }, { db, now }) {
      const { noticeIds: ids = null } = input
      await store.markRead(db, { userId: user.uid, ids, now: now() })
      return {}
    },

    async saveTimeZone({ input, user }, { db }) {
      const { timeZone: zone } = input
      if (!isKnown(zone) || !(await store.setZone(db, { userId: user.uid, zone })))
        throw new Refusal('unknownTimeZone')
      return {}
    },
  },

  mails: { 'notices.digest': digestMail },

  /** A receipt is a paper to keep, and no news. */
  told: (notice, { db }) =>
    notice.kind === 'receipt' ? undefined : store.add(db, newId(), notice),

  recorded({ kind, subscriptionId, at }, { db }) {
    if (kind === 'paymentMade') return store.markPaid(db, subscriptionId, at)
    return answers.has(kind) ? store.markAnswered(db, subscriptionId, at) : undefined
  },

  exportUser: (userId, { db }, shut) => store.eachOf(db, userId, shut),
  removeExpired: ({ db, now }) => store.removeOld(db, after(now(), -limits.kept)),
  startWork,
} satisfies ServerModule<'notices'>

/** An administrator's answers to a request to join. */
const answers = new Set(['joinRequestAccepted', 'joinRequestDeclined'])

function readerOf({ uid: userId, session }: CurrentUser, now: Date): store.Reader {
  return { userId, passed: session.secondStepAt !== null, now }
}

function toNotice(row: store.Row, { title, path }: Pick<Notice, 'title' | 'path'>): Notice {
  const { id, kind, subscriptionId, project, details, at, readAt } = row
  const { by } = details
  return {
    id,
    kind,
    title,
    by: typeof by === 'string' && !title.includes(by) ? by : null,
    subscription_id: subscriptionId,
    project,
    path,
    created: seconds(at),
    is_read: readAt !== null,
  }
}

/** Mails format times in it. */
function isKnown(timeZone: string) {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone }))
  } catch {
    return false
  }
}
