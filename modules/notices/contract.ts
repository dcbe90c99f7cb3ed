import {
  epochSeconds,
  field,
  id,
  language,
  object,
  oneLine,
  paged,
  total,
} from '#contract/fields.ts'
import { invalid, read, signedIn, write } from '#contract/rows.ts'
import * as z from 'zod/mini'
import type words from './words/en.json'

declare module '#locales/keys.ts' {
  interface ModuleWords {
    notices: typeof words
  }
}

const text = z.string()
const orNull = z.nullable(text)

const notice = object('What a person was told about a project.', {
  id: field('The id of the notice.', text),
  kind: field('What it is about, by the name of its mail.', text),
  title: field('What happened, in one line.', text),
  by: field('The name of who did it; null if nobody did, or the title says it.', orNull),
  subscription_id: field('The id of the project; null if it is about none.', orNull),
  project: field('The name that the project had; empty if it had none.', text),
  path: field('The path of the screen that it leads to.', text),
  created: field('When it happened.', epochSeconds),
  is_read: field('Whether the person has read it.', z.boolean()),
})
export type Notice = z.output<typeof notice>

const zone = z.string().check(z.trim(), z.minLength(1), z.maxLength(64), oneLine)

export const calls = {
  countNotices: read(signedIn, 'Counts the notices of the caller that are not read.', {
    answer: {
      unread: field('How many there are.', z.int()),
      time_zone: field('The time zone of the mail of the day; null means UTC.', orNull),
    },
  }),
  listNotices: read(
    signedIn,
    'Lists the notices of the caller, the newest first. Those of projects that the caller is not in are left out, but for the one that says so.',
    {
      input: {
        ...paged,
        language: field('The language of the titles.', z.optional(language)),
        project: field('The id of a project. Others are left out.', z.optional(id)),
        unread: field('Leaves out those that are read.', z.optional(z.boolean())),
      },
      answer: { notices: field('Those of the page.', z.array(notice)), total },
    },
  ),
  markNoticesRead: write(signedIn, 'Marks notices of the caller as read.', {
    input: {
      noticeIds: field(
        'Which ones; without it, all.',
        z.optional(z.array(id).check(z.maxLength(100))),
      ),
    },
  }),
  saveTimeZone: write(signedIn, 'Says in which time zone the caller gets the mail of the day.', {
    input: { timeZone: field('By its name, such as `Europe/Berlin`.', zone) },
    refusals: ['unknownTimeZone'],
  }),
}

export const screens = {
  notices: { path: '/notices', needs: 'signedIn', title: 'notices.title', icon: 'notices' },
} as const

export const refusals = {
  unknownTimeZone: invalid('There is no time zone of this name.'),
}

export const noticeWays = ['app', 'digest'] as const
export const liveNames = ['notices'] as const
