import type { JobState } from '../../server/store/queue.ts'
import type { Services } from '../../server/core/services.ts'
import { record } from '../../server/activity/record.ts'
import { StartError } from '../../server/platform/start-error.ts'
import type { Answer, Desk } from './command.ts'
import { eventShown, jobShown } from './shown.ts'

const states: JobState[] = ['running', 'failed', 'retrying', 'waiting']

/** How many jobs there are, and those in one state; by default those that have failed. */
export async function jobs({ services: { store } }: Desk, state?: string): Promise<Answer> {
  if (state !== undefined && !isState(state))
    throw new StartError(`${state} is no state of a job. States: ${states.join(', ')}.`)
  const wanted: JobState[] = state === undefined ? ['failed', 'retrying'] : [state]
  const [counts, events, ...listed] = await Promise.all([
    store.queue.countJobs(),
    store.providerEvents.listFailed(),
    ...wanted.map((state) => store.queue.list({ state, limit: 100 })),
  ])
  const isIdle = state === undefined && counts.length + events.length === 0
  return {
    ...(isIdle && { said: 'No job waits, and none has failed.' }),
    counts: counts.map((count) => ({ ...count, oldestSeconds: Math.round(count.oldestSeconds) })),
    jobs: listed.flat().map(jobShown),
    events: events.map(eventShown),
  }
}

/** Runs a job or a payment provider's event again at once, or everything that failed. */
export async function retry({ services, operator }: Desk, id: string): Promise<Answer> {
  const { jobs, events } = await chosen(id, services)
  if (jobs.length + events.length === 0) return { said: 'Nothing has failed.', retried: [] }
  const retried = await services.transaction(async (services) => {
    const { store } = services
    for (const eventId of events)
      await services.jobs.add('processEvent', { eventId }, { key: eventId })
    const done = [...(await store.queue.retry(jobs)), ...events]
    if (done.length > 0)
      await record('workRetried', { by: operator, details: { work: done } }, services)
    return done
  })
  refuseRunning(id, retried)
  return { said: `Runs again as soon as a server works: ${retried.join(', ')}.`, retried }
}

/** Takes a job off the queue for good, or gives up a payment provider's event. */
export async function drop({ services, operator }: Desk, id: string): Promise<Answer> {
  if (id === 'all') throw new StartError('Drop one job or event at a time: drop ID')
  const { jobs, events } = await chosen(id, services)
  const dropped = await services.transaction(async (services) => {
    const { store, now } = services
    for (const eventId of events) {
      await services.jobs.remove(eventId)
      await store.providerEvents.markProcessed({ id: eventId, now: now() })
    }
    const done = [...(await store.queue.drop(jobs)), ...events]
    if (done.length > 0)
      await record('workDropped', { by: operator, details: { work: done } }, services)
    return done
  })
  refuseRunning(id, dropped)
  return { said: `Is not done any more: ${dropped.join(', ')}.`, dropped }
}

/** The job that processes an event is chosen by the event. */
async function chosen(id: string, { store }: Services) {
  if (id === 'all') {
    const failed = await store.queue.list({ state: 'failed', limit: 10_000 })
    const retrying = await store.queue.list({ state: 'retrying', limit: 10_000 })
    const events = (await store.providerEvents.listFailed()).map((event) => event.id)
    const jobs = [...failed, ...retrying].filter((job) => job.task !== 'processEvent')
    return { jobs: jobs.map((job) => job.id), events }
  }
  const job = /^\d{1,18}$/.test(id) ? await store.queue.find(id) : undefined
  const eventId = job?.task === 'processEvent' ? String(job.payload['eventId']) : id
  const event = await store.providerEvents.find(eventId)
  if (event?.processedAt) throw new StartError(`The event ${eventId} is processed already.`)
  if (event) return { jobs: [], events: [event.id] }
  if (job) return { jobs: [job.id], events: [] }
  throw new StartError(`There is no job and no event ${id}. Which there are: jobs`)
}

function refuseRunning(id: string, done: string[]) {
  if (done.length === 0)
    throw new StartError(`A server runs the job ${id} now. Look again: jobs running`)
}

function isState(text: string): text is JobState {
  return (states as string[]).includes(text)
}
