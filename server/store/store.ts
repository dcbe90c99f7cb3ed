import type { Db } from '../sql/database.ts'
import * as modules from './modules.ts'

type Bound<Fn> = Fn extends (db: Db, ...args: infer Args) => infer Answer
  ? (...args: Args) => Answer
  : never

type Modules = typeof modules
/** Editors find the function behind a name of this type. */
export type Store = {
  [Module in keyof Modules]: {
    [Name in keyof Modules[Module]]: Bound<Modules[Module][Name]>
  }
}

/** Binds every function of the store to the pool or to one transaction. */
export function openStore(db: Db) {
  return Object.fromEntries(
    Object.entries(modules).map(([name, module]) => [name, bind(db, module)]),
  ) as Store
}

function bind(db: Db, module: Record<string, (db: Db, ...args: never[]) => unknown>) {
  return Object.fromEntries(
    Object.entries(module).map(([name, ask]) => [name, (...args: never[]) => ask(db, ...args)]),
  )
}
