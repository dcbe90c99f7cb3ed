import { and, eq, sql } from 'drizzle-orm'
import type { Db } from './database.ts'
import { passwords, users } from './schema.ts'
import { columns, statement } from './statement.ts'

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

const byId = statement<{ id: string }, User>(
  'user',
  ({ id }) => sql`select ${columns(users)} from users where id = ${id}`,
)

export async function find(db: Db, id: string) {
  return byId.first(db, { id })
}

/** Also tells how the user can sign in. The built-in identity provider alone stores passwords. */
export type UserRecord = User & { hasStoredPassword: boolean; providers: string[] }

const record = statement<{ id: string }, UserRecord>(
  'user_record',
  ({ id }) => sql`
    select ${columns(users)}, exists (select from passwords where user_id = users.id) "hasStoredPassword",
      array(select provider from provider_links where user_id = users.id order by created_at) providers
    from users where id = ${id}`,
)

export async function findRecord(db: Db, id: string) {
  return record.first(db, { id })
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

type Changes = Partial<Pick<User, 'displayName' | 'avatarUrl' | 'language' | 'emailVerified'>>

const changed = statement<{ id: string; now: Date } & Changes>(
  'user_update',
  ({ id, displayName, avatarUrl, language, emailVerified, now }) => sql`
    update users set display_name = coalesce(${displayName}, display_name), avatar_url = coalesce(${avatarUrl}, avatar_url),
      language = coalesce(${language}, language), email_verified = coalesce(${emailVerified}, email_verified), updated_at = ${now}
    where id = ${id}`,
)

/** Replaces the fields that are given. */
export async function update(db: Db, id: string, changes: Changes, now: Date) {
  await changed.send(db, { id, ...changes, now })
}
