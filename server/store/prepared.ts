import type { Db } from './database.ts'

/**
 * Prepares a frequent query. It is built once per database handle and planned once per connection.
 * `build` ends in `.prepare(name)`.
 */
export function preparedOn<Prepared>(build: (db: Db) => Prepared) {
  const known = new WeakMap<Db, Prepared>()
  return (db: Db) => {
    const prepared = known.get(db) ?? build(db)
    known.set(db, prepared)
    return prepared
  }
}
