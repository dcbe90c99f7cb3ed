import type { Db } from './database.ts'

/** Builds a frequent query once per handle. `.prepare(name)` plans it once per connection. */
export function preparedOn<Prepared>(build: (db: Db) => Prepared) {
  const known = new WeakMap<Db, Prepared>()
  return (db: Db) => {
    const prepared = known.get(db) ?? build(db)
    known.set(db, prepared)
    return prepared
  }
}
