import type { Db } from '../sql/database.ts'
import { run, value } from '../sql/statement.ts'

/** A value made once per installation. Servers that ask at the same time get the same value. */
export async function keepOnce(db: Db, name: string, make: () => string) {
  await run(db, 'installation_add')`
    insert into installation (name, value) values (${name}, ${make()}) on conflict do nothing`
  return (await find(db, name))!
}

export function find(db: Db, name: string) {
  return value<string | undefined>(db, 'installation_value')`
    select value from installation where name = ${name}`
}

export function put(db: Db, name: string, value: string) {
  return run(db, 'installation_put')`
    insert into installation (name, value) values (${name}, ${value})
    on conflict (name) do update set value = excluded.value`
}

export function remove(db: Db, name: string) {
  return run(db, 'installation_remove')`delete from installation where name = ${name}`
}
