import { product } from '#config/product.ts'
import type { MessageKey } from '#locales/keys.ts'
import * as all from '#modules/index.ts'
import type * as z from 'zod/mini'
import type { CallRow, RefusalRow, Screen } from './rows.ts'

/** What the `contract.ts` of a module may export. */
export type ModuleContract = {
  calls?: Record<string, CallRow>
  screens?: Record<string, Screen>
  refusals?: Record<string, RefusalRow>
  /** Kinds of entries in the activity log. They are an area with the module's name. */
  activityKinds?: readonly [string, ...string[]]
  /** What it sends to other programs by POST, for /openapi.json. */
  sends?: Record<string, { text: string; body: z.ZodMiniObject }>
  /** How it tells people of notices, as they choose: listed in the app, or in a mail of the day. */
  noticeWays?: readonly Way[]
  /** What its live triggers tell, besides the core's names. */
  liveNames?: readonly string[]
  /** What a plan may include, by the names that config/plans.ts uses. */
  features?: Record<string, Feature>
  /** How much a plan may allow. What counts the use is in `usage` of the module's server.ts. */
  limits?: Record<string, Limit>
}

export type Way = 'app' | 'digest'
export type Feature = { label: MessageKey }
/** `bytes` are shown in MB or GB. */
export type Limit = { label: MessageKey; unit: 'count' | 'bytes' }

export type All = typeof all
export type ModuleName = keyof All

export const contracts = all as Record<ModuleName, ModuleContract>

/** The modules that are on. A name that no folder has does not compile here. */
export const on = namesOf(product.modules)

function namesOf(modules: readonly ModuleName[] | 'all') {
  return modules === 'all' ? (Object.keys(contracts) as ModuleName[]) : modules
}

/** Whether a module that is on tells people of notices in this way. */
export function offersWay(way: Way) {
  return on.some((name) => contracts[name].noticeWays?.includes(way))
}

type Tables = 'calls' | 'screens' | 'refusals' | 'features' | 'limits'
type RowsOf<Module, Table extends Tables> = Module extends Record<Table, infer Rows> ? Rows : object
type Together<Union> = (Union extends unknown ? (rows: Union) => void : never) extends (
  rows: infer All,
) => void
  ? All
  : never

/** The rows of a table that modules have, as if they stood in the core's table. */
export function ofModules<const Table extends Tables>(table: Table) {
  return Object.assign({}, ...on.map((name) => contracts[name][table])) as Together<
    { [Name in ModuleName]: RowsOf<All[Name], Table> }[ModuleName]
  > &
    object
}

/** The names of the rows that one module has in a table. */
export type NameOf<Module extends ModuleName, Table extends Tables> = keyof RowsOf<
  All[Module],
  Table
>

export type LiveNameOfModules = {
  [Name in ModuleName]: All[Name] extends { liveNames: readonly (infer Live extends string)[] }
    ? Live
    : never
}[ModuleName]
