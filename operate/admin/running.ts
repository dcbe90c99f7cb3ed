import { limits } from '#config/limits.ts'
import { after } from '../../server/platform/time.ts'
import type { Answer, Desk } from './command.ts'

const most = 50

/** Which servers run, what they work on, and who has used the product lately. */
export async function who({ services }: Desk): Promise<Answer> {
  const { store, now, serverId } = services
  const since = after(now(), -limits.sessions.accessToken)
  const [servers, running, people] = await Promise.all([
    store.servers.list(),
    store.queue.list({ state: 'running', limit: 1000 }),
    store.users.listActiveSince(since, most),
  ])
  return {
    servers: servers
      .filter(({ id }) => id !== serverId)
      .map(({ id, startedAt, about, isAlive }) => ({
        id,
        ...about,
        started: startedAt,
        alive: isAlive,
        jobs: running.filter(({ server }) => server === id).length,
      })),
    // An open app renews its session once an hour.
    people: people.map(({ email, usedAt }) => ({ email, used: usedAt })),
  }
}

/** What operators did, newest first. */
export async function log({ services: { store } }: Desk): Promise<Answer> {
  const entries = await store.activity.listOfOperators(most)
  return {
    ...(entries.length === 0 && { said: 'No operator has done anything yet.' }),
    acts: entries.map(({ at, kind, details, subject, subscriptionId }) => {
      const { operator, ...others } = details
      return { at, by: operator, kind, subject, project: subscriptionId, details: others }
    }),
  }
}
