import { getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { activityAreas, activityKinds, operatorKinds } from '../../contract/activity.ts'
import { calls } from '../../contract/calls.ts'
import { contracts, type ModuleContract } from '../../contract/modules.ts'
import { refusals } from '../../contract/refusals.ts'
import { screens } from '../../contract/screens.ts'
import { english } from '../../locales/english.ts'
import { core, isTableOf } from '../../server/migrate/series.ts'
import * as schema from '../../server/store/schema.ts'

const modules = Object.values<ModuleContract>(contracts)
const namesIn = (table: 'calls' | 'screens' | 'refusals' | 'limits') =>
  modules.flatMap((contract) => Object.keys(contract[table] ?? {}))

/** The names that the core and all modules have, also those that are off. */
const taken = {
  call: [...Object.keys(calls), ...namesIn('calls')],
  screen: [...Object.keys(screens), ...namesIn('screens')],
  refusal: [...Object.keys(refusals), ...namesIn('refusals')],
  limit: namesIn('limits'),
  'kind of activity': [
    ...Object.values(activityKinds).flat(),
    ...operatorKinds,
    ...modules.flatMap(({ activityKinds = [] }) => activityKinds),
  ] as string[],
  'area of activity': activityAreas as string[],
  'group of words': Object.keys(english),
}
export type Kind = keyof typeof taken

export function isTaken(kind: Kind, name: string) {
  return taken[kind].includes(name)
}

/** Why a module can't have a name: the core has its tables, or its series of migrations. */
export function ofCore(name: string) {
  if (name === core) return 'the series of migrations of the core'
  const table = Object.values(schema)
    .filter((value) => is(value, PgTable))
    .map((table): string => getTableName(table))
    .concat('migrations')
    .find((table) => isTableOf(name, table))
  return table && `the core’s table ${table}`
}
