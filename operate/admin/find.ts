import { projectName } from '#contract/project-name.ts'
import type { Answer, Desk } from './command.ts'

const most = 20

/** People and projects whose name, address or id has the text. */
export async function find({ services: { store } }: Desk, text: string): Promise<Answer> {
  const [people, projects] = await Promise.all([
    store.users.search(text, most),
    store.subscriptions.search(text, most),
  ])
  if (people.length + projects.length === 0)
    return {
      said: `No person and no project has “${text}” in a name, address or id.`,
      people,
      projects,
    }
  return {
    people: people.map(({ id, email, displayName, disabled, createdAt }) => ({
      id,
      email,
      name: displayName,
      disabled,
      created: createdAt,
    })),
    projects: projects.map(({ id, settings, planId, status, payment, ownerId, createdAt }) => ({
      id,
      name: projectName(settings),
      plan: planId,
      status,
      payment,
      owner: ownerId,
      created: createdAt,
    })),
  }
}
