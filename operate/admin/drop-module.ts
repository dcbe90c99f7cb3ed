import { record } from '../../server/activity/record.ts'
import { listSeries } from '../../server/migrate/series.ts'
import { StartError } from '../../server/platform/start-error.ts'
import { inPlainWords } from '../backup/plain-words.ts'
import type { Answer, Desk } from './command.ts'

/** Removes the tables of a module whose folder is removed. */
export async function dropModule({ services, operator }: Desk, name: string): Promise<Answer> {
  const modules = await services.store.migrations.listModules()
  if (!modules.includes(name))
    throw new StartError(
      `The database has no module ${name}. Those that it has: ${modules.join(', ') || 'none'}.`,
    )
  if (listSeries().some((series) => series.name === name))
    throw new StartError(
      `The module ${name} is still here. Remove the folder modules/${name} and deploy that, and then drop it.`,
    )
  const dropped = await services
    .transaction(async (services) => {
      const tables = await services.store.migrations.dropModule(name)
      const details = { module: name, tables }
      await record('moduleDropped', { by: operator, details }, services)
      return tables
    })
    .catch((error: unknown) => {
      throw inPlainWords(error, 'Nothing was dropped, and you can try again.')
    })
  return { said: `Dropped: ${dropped.join(', ') || 'no table'}.`, dropped }
}
