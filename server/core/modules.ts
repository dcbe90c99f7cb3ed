import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import { contracts, on, type ModuleName, type NameOf } from '#contract/modules.ts'
import type { MailOfModule, ModuleMails, Named } from '../mails/mails.ts'
import type { ModuleJobs } from './jobs.ts'
import type { CountUse, Handler, HandlersOf, Hooks, Job, Modules } from './services.ts'

type Own<Name extends ModuleName, All> = {
  [Key in keyof All as Key extends `${Name}.${string}` ? Key : never]: All[Key]
}
/** What has a name in the module's contract.ts, or in its additions, must be there. */
type Needed<Key extends string, Table> = keyof Table extends never
  ? { [Name in Key]?: undefined }
  : { [Name in Key]: Table }

/** What the server.ts of a module exports as `server`. */
export type ServerModule<Name extends ModuleName> = Hooks &
  Needed<'calls', HandlersOf<NameOf<Name, 'calls'> & CallName>> &
  (NameOf<Name, 'limits'> extends never
    ? { usage?: undefined }
    : { usage: CountUse<NameOf<Name, 'limits'> & string> }) &
  Needed<'jobs', { [Task in keyof Own<Name, ModuleJobs>]: Job<Own<Name, ModuleJobs>[Task]> }> &
  Needed<
    'mails',
    { [Mail in keyof Own<Name, ModuleMails>]: MailOfModule<Own<Name, ModuleMails>[Mail]> }
  >

/** What the examples.ts of a module may export, for `npm run seed` and for tests. */
export type Examples = {
  /** Makes examples in a project that has none, as people who may edit there. */
  seed?: (subscriptionId: string, editors: Ask[]) => Promise<unknown>
  /** Inputs of calls that need more than the project's id. */
  inputs?: {
    [Name in CallName]?: (ask: Ask, subscriptionId: string) => Promise<CallInput<Name>>
  }
  /** The values of each mail, one for each of its forms. */
  mails?: { [Mail in keyof ModuleMails]?: (ModuleMails[Mail] & Named)[] }
}
export type Ask = <Name extends CallName>(
  name: Name,
  input: CallInput<Name>,
) => Promise<CallOutput<Name>>

type Loaded = Hooks & {
  calls?: Record<string, Handler<CallName>>
  usage?: CountUse
  jobs?: Record<string, Job<never>>
  mails?: Record<string, MailOfModule<never>>
}

/** Loads the server.ts of each module that is on. */
export async function loadModules(): Promise<Modules> {
  const loaded = await Promise.all(
    on.map(async (name) => {
      const { server } = (await import(`../../modules/${name}/server.ts`)) as { server: Loaded }
      return server
    }),
  )
  const together = <Table extends 'calls' | 'jobs' | 'mails'>(table: Table) =>
    Object.assign({}, ...loaded.map((module) => module[table])) as Modules[Table]
  return {
    calls: together('calls'),
    usage: loaded.flatMap(({ usage: count }, place) =>
      count ? [{ limits: Object.keys(contracts[on[place]!].limits ?? {}), count }] : [],
    ),
    jobs: together('jobs'),
    mails: together('mails'),
    hooks: loaded.map((hooks, place) => [on[place]!, hooks]),
  }
}
