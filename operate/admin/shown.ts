import type { Activity } from '#contract/entries.ts'
import type { ProviderEvent } from '../../server/store/provider-events.ts'
import type { QueuedJob } from '../../server/store/queue.ts'
import { maxAttempts } from '../../server/store/schema.ts'

/** What a job is about. The rest of its payload may be secret, such as the code of a mailed link. */
const tellable = [
  'mail',
  'to',
  'email',
  'subscriptionId',
  'userId',
  'ownerId',
  'eventId',
  'customerId',
  'step',
]

export function jobShown({ payload, error, server, key: _, ...job }: QueuedJob) {
  const about = Object.fromEntries(tellable.flatMap((name) => entryOf(name, payload[name])))
  const isOver = job.state === 'failed'
  return {
    id: job.id,
    task: job.task,
    state: job.state,
    about,
    tries: `${job.attempts} of ${maxAttempts}`,
    created: job.createdAt,
    next: isOver || job.state === 'running' ? null : job.runAt,
    server,
    error: firstLine(error),
  }
}

export function eventShown({ id, type, objectId, receivedAt, processedAt, error }: ProviderEvent) {
  return {
    id,
    type,
    object: objectId,
    received: receivedAt,
    processed: processedAt,
    error: firstLine(error),
  }
}

/** The lines after the first may contain values of a query. */
function firstLine(text: string | null) {
  return text?.split('\n')[0] ?? null
}

function entryOf(name: string, value: unknown) {
  return typeof value === 'string' ? [[name, value]] : []
}

export function entryShown({ created, kind, actor, subject, subscription, details }: Activity) {
  return {
    at: new Date(created * 1000),
    kind,
    by: actor?.name ?? details['operator'] ?? null,
    subject,
    project: subscription?.id ?? null,
    details,
  }
}
