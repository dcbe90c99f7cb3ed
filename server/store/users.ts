import { and, eq, sql } from 'drizzle-orm'
import type { Db } from './database.ts'
import { passwords, users } from './schema.ts'

export type User = typeof users.$inferSelect
type NewUser = Omit<typeof users.$inferInsert, 'createdAt' | 'updatedAt'> & { now: Date }

/** Adds a user. Undefined if the address is taken. */
export async function add(db: Db, { now, ...user }: NewUser) {
  const [added] = await db
    .insert(users)
    .values({ ...user, createdAt: now, updatedAt: now })
    .onConflictDoNothing({ target: users.email })
    .returning()
  return added
}

export async function find(db: Db, id: string) {
  return db.query.users.findFirst({ where: eq(users.id, id) })
}

export async function findByEmail(db: Db, email: string) {
  return db.query.users.findFirst({ where: eq(users.email, email) })
}

export async function findWithPassword(db: Db, email: string) {
  const [row] = await db
    .select({ user: users, passwordHash: passwords.hash })
    .from(users)
    .leftJoin(passwords, eq(passwords.userId, users.id))
    .where(eq(users.email, email))
  return row
}

export async function setPassword(db: Db, userId: string, hash: string) {
  await db
    .insert(passwords)
    .values({ userId, hash })
    .onConflictDoUpdate({ target: passwords.userId, set: { hash } })
}

export async function hasPassword(db: Db, userId: string) {
  return (await db.$count(passwords, eq(passwords.userId, userId))) > 0
}

export async function removePassword(db: Db, userId: string) {
  await db.delete(passwords).where(eq(passwords.userId, userId))
}

/** Sets an address as the user's verified one. False if another user has it. */
export async function setEmail(db: Db, id: string, email: string, now: Date) {
  const { rowCount } = await db
    .update(users)
    .set({ email, emailVerified: true, updatedAt: now })
    .where(and(eq(users.id, id), isFree(email, id)))
  return rowCount === 1
}

function isFree(email: string, id: string) {
  return sql`not exists (select from users other where other.email = ${email} and other.id <> ${id})`
}

/** Locks the user. A sign-in that has checked the former credentials then gets no session. */
export async function renewCredentials(db: Db, id: string) {
  const [user] = await db
    .update(users)
    .set({ credentialsVersion: sql`${users.credentialsVersion} + 1` })
    .where(eq(users.id, id))
    .returning()
  return user
}

/** Until the transaction ends, nobody else can change the user or add rows that refer to it. */
export async function lock(db: Db, id: string) {
  const [user] = await db.select().from(users).where(eq(users.id, id)).for('update')
  return user
}

/** Keeps a user from being deleted until the transaction ends. False if that came first. */
export async function hold(db: Db, id: string) {
  const isUser = eq(users.id, id)
  const held = await db.select({ id: users.id }).from(users).where(isUser).for('key share')
  return held.length === 1
}

export async function remove(db: Db, id: string) {
  await db.delete(users).where(eq(users.id, id))
}

/** Undefined if the row has changed since it was read, or if another user has the address. */
export async function copyAccount(
  db: Db,
  read: User,
  account: Pick<User, 'email' | 'emailVerified' | 'displayName' | 'disabled'>,
  now: Date,
) {
  const isUnchanged = and(eq(users.id, read.id), eq(users.updatedAt, read.updatedAt))
  const [changed] = await db
    .update(users)
    .set({ ...account, updatedAt: now })
    .where(and(isUnchanged, isFree(account.email, read.id)))
    .returning()
  return changed
}

export async function update(
  db: Db,
  id: string,
  changes: Partial<Pick<User, 'displayName' | 'avatarUrl' | 'language' | 'emailVerified'>>,
  now: Date,
) {
  await db
    .update(users)
    .set({ ...changes, updatedAt: now })
    .where(eq(users.id, id))
}
