import type { LanguageCode } from '#config/languages.ts'
import { eq } from 'drizzle-orm'
import type { Db } from './database.ts'
import { passwords, users } from './schema.ts'

export type User = typeof users.$inferSelect
type NewUser = { id: string; email: string; displayName: string; language: LanguageCode | null; passwordHash: string; now: Date }

/** The new user, or nothing if the address is taken. */
export async function add(db: Db, { passwordHash, now, ...user }: NewUser) {
  const [added] = await db
    .insert(users)
    .values({ ...user, createdAt: now, updatedAt: now })
    .onConflictDoNothing({ target: users.email })
    .returning()
  if (added) await db.insert(passwords).values({ userId: added.id, hash: passwordHash })
  return added
}

export async function find(db: Db, id: string) {
  const [user] = await db.select().from(users).where(eq(users.id, id))
  return user
}

export async function findByEmail(db: Db, email: string) {
  const [user] = await db.select().from(users).where(eq(users.email, email))
  return user
}

/** The user with the hash of their password, which is missing for people who have none. */
export async function findWithPassword(db: Db, email: string) {
  const [row] = await db
    .select({ user: users, passwordHash: passwords.hash })
    .from(users)
    .leftJoin(passwords, eq(passwords.userId, users.id))
    .where(eq(users.email, email))
  return row
}

export async function setPassword(db: Db, userId: string, hash: string) {
  await db.insert(passwords).values({ userId, hash }).onConflictDoUpdate({ target: passwords.userId, set: { hash } })
}

export async function verifyEmail(db: Db, id: string, now: Date) {
  await db.update(users).set({ emailVerified: true, updatedAt: now }).where(eq(users.id, id))
}

export async function update(db: Db, id: string, changes: { displayName?: string; language?: LanguageCode }, now: Date) {
  await db
    .update(users)
    .set({ ...changes, updatedAt: now })
    .where(eq(users.id, id))
}
