import { eq } from 'drizzle-orm'
import type { Db } from './database.ts'
import { installation } from './schema.ts'

/** A value made once per installation. Servers that ask at the same time get the same value. */
export async function keepOnce(db: Db, name: string, make: () => string) {
  await db.insert(installation).values({ name, value: make() }).onConflictDoNothing()
  return (await find(db, name))!
}

export async function find(db: Db, name: string) {
  return (await db.query.installation.findFirst({ where: eq(installation.name, name) }))?.value
}

export async function put(db: Db, name: string, value: string) {
  await db
    .insert(installation)
    .values({ name, value })
    .onConflictDoUpdate({ target: installation.name, set: { value } })
}
