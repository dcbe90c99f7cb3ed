import * as z from 'zod/mini'
import { limits } from '#config/limits.ts'
import { activityAreas } from '../activity.ts'
import { activity } from '../entries.ts'
import { field, paged, search, subscriptionId, total } from '../fields.ts'
import { admin, read, signedIn, type CallRow } from '../rows.ts'

const area = field('Only entries of this part.', z.optional(z.enum(activityAreas)))

export const ofActivity = {
  listActivity: read(admin, 'Lists what happened in a project, the newest first.', {
    input: { subscriptionId, ...paged, search, area },
    answer: { activity: z.array(activity), total },
    tokens: 'read',
  }),
  exportActivity: read(
    { ...admin, streamed: true },
    `Reads what happened in a project, the newest first, at most ${limits.activity.exported} entries.`,
    { input: { subscriptionId }, answer: { activity: z.array(activity) }, tokens: 'read' },
  ),
  listOwnActivity: read(
    signedIn,
    'Lists what the caller did, and what was done to them. Entries name only projects that the caller is in now.',
    { input: { ...paged, area }, answer: { activity: z.array(activity), total } },
  ),
  exportOwnActivity: read(
    { ...signedIn, streamed: true },
    'Reads what the caller did, and what was done to them, the newest first.',
    { answer: { activity: z.array(activity) } },
  ),
} as const satisfies Record<string, CallRow>
