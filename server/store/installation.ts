import { eq } from 'drizzle-orm'
import type { Db } from '../sql/database.ts'
import { installation } from './schema.ts'

/** A value made once per installation. Servers that ask at the same time get the same value. */
export async function keepOnce(db: Db, name: string, make: () => string) {
  await db.insert(installation).values({ name, value: make() }).onConflictDoNothing()
  return (await find(db, name))!
}

export async function find(db: Db, name: string) {
  const rows = await db.select().from(installation).where(eq(installation.name, name))
  return rows.at(0)?.value
}

export async function put(db: Db, name: string, value: string) {
  await db
    .insert(installation)
    .values({ name, value })
    .onConflictDoUpdate({ target: installation.name, set: { value } })
}

export async function remove(db: Db, name: string) {
  await db.delete(installation).where(eq(installation.name, name))
}
