import { record } from '../../server/activity/record.ts'
import { StartError } from '../../server/platform/start-error.ts'
import { checkMove, type Move } from '../moving/check.ts'
import { readPeopleFile } from '../moving/people-file.ts'
import { writeMove } from '../moving/write.ts'
import type { Answer, Desk } from './command.ts'

/** How many mistakes are named at once. */
const named = 30

/** Adds what is in a file: see docs/moving-here.md. With `check`, only says what that would do. */
export async function importPeople(
  { services, operator }: Desk,
  path: string,
  check?: string,
): Promise<Answer> {
  if (check !== undefined && check !== 'check')
    throw new StartError(`${check}? Write “check” to see what an import would do.`)
  const read = await readPeopleFile(path)
  if ('mistakes' in read) throw refused(path, read.mistakes)
  const { mistakes, move } = await checkMove(read.file, services)
  if (mistakes.length > 0) throw refused(path, mistakes)
  if (check !== undefined) return { wouldAdd: countsOf(move), ...leftOut(move) }
  await services.transaction(async (services) => {
    await writeMove(move, services)
    const { people, projects } = countsOf(move)
    const details = { people: String(people), projects: String(projects) }
    if (people + projects > 0) await record('peopleImported', { by: operator, details }, services)
  })
  return { added: countsOf(move), ...leftOut(move) }
}

function countsOf({ users, projects }: Move) {
  return {
    people: users.length,
    withPassword: users.filter(({ passwordHash }) => passwordHash !== undefined).length,
    projects: projects.length,
    paidProjects: projects.filter(({ paidBy }) => paidBy !== undefined).length,
    invites: projects.reduce((sum, { invites }) => sum + invites.length, 0),
  }
}

function leftOut({ here, known }: Move) {
  return { hereAlready: here, ...(known.length > 0 && { haveAnAccountHere: known }) }
}

function refused(path: string, mistakes: string[]) {
  const more = mistakes.length - named
  const lines = [...mistakes.slice(0, named), ...(more > 0 ? [`and ${more} more`] : [])]
  return new StartError(`Nothing of ${path} was written:\n${lines.join('\n')}`)
}
