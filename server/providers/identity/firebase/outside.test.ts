import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { anHttpServer } from '../../../../tests/http-server.ts'
import { aWorld } from '../../../../tests/world.ts'

type Account = { localId: string; email: string; emailVerified: boolean; password?: string }
type Request = Account & { deleteAttribute?: string[]; disableUser?: boolean }

const newPassword = 'battery staple'

/** A world whose accounts are at a stand-in for Firebase, which answers once no transaction is open. */
async function aWorldAtFirebase() {
  const accounts = new Map<string, Account>()
  const at: { pool?: pg.Pool; changed: () => Promise<unknown> } = { changed: async () => undefined }
  const find = (email: string) => [...accounts.values()].find((account) => account.email === email)

  const operations: Record<string, (asked: Request) => object | string> = {
    accounts: (asked) => {
      if (find(asked.email)) return 'EMAIL_EXISTS'
      accounts.set(asked.localId, asked)
      return {}
    },
    'accounts:update'({ deleteAttribute, disableUser: _, ...changes }) {
      const account = accounts.get(changes.localId)
      if (!account) return 'USER_NOT_FOUND'
      accounts.set(changes.localId, { ...account, ...changes })
      if (deleteAttribute) delete accounts.get(changes.localId)!.password
      return {}
    },
    'accounts:delete': ({ localId }) => ({ gone: accounts.delete(localId) }),
    'accounts:lookup'({ localId: [id] }) {
      const { password, ...account } = accounts.get(id!)!
      return { users: [{ ...account, ...(password !== undefined && { passwordHash: 'a hash' }) }] }
    },
    'accounts:signInWithPassword'({ email, password }) {
      const account = find(email)
      const isRight = account && account.password === password
      return isRight ? { localId: account.localId, idToken: 't' } : 'INVALID_LOGIN_CREDENTIALS'
    },
  }

  const { host, asked } = await anHttpServer(async ({ url, body }) => {
    const open = `select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`
    while (at.pool && (await at.pool.query(open)).rowCount) await delay(5)
    const name = url.split('/').at(-1)!
    const answer = operations[name]!(JSON.parse(body) as Request)
    if (typeof answer === 'string')
      return { status: 400, body: JSON.stringify({ error: { message: answer } }) }
    if (name === 'accounts:update') await at.changed()
    return { status: 200, body: JSON.stringify(answer) }
  })
  const world = await aWorld({
    IDENTITY: 'firebase',
    FIREBASE_PROJECT_ID: 'demo',
    FIREBASE_API_KEY: 'a-key',
    FIREBASE_AUTH_EMULATOR_HOST: host,
  })
  at.pool = world.pool
  const countUpdates = () => asked.filter(({ url }) => url.endsWith(':update')).length
  return { world, accounts, find, at, countUpdates }
}

test('no transaction is open while Firebase is asked, and both have the same account', async () => {
  const { world, accounts, find } = await aWorldAtFirebase()
  const ann = await world.aPerson('ann', { verified: false })
  await ann.does('correctEmail', { email: 'anne@example.com' })
  await world.openMail('anne@example.com', ann)
  await ann.does('updateProfile', { displayName: 'Anne' })
  const account = { localId: ann.uid, emailVerified: true, displayName: 'Anne' }
  expect(find('anne@example.com')).toMatchObject(account)
  await world.move(ann, 'moved@example.com')
  await ann.does('updatePassword', { newPassword })
  expect(find('moved@example.com')).toMatchObject({ ...account, password: newPassword })
  expect(find('anne@example.com')).toBeUndefined()
  const { user } = await world.does('signIn', { email: 'moved@example.com', password: newPassword })
  expect(user).toMatchObject({ uid: ann.uid, emailVerified: true, displayName: 'Anne' })
  const stranger = { localId: 'a stranger', email: 'taken@example.com', emailVerified: true }
  accounts.set(stranger.localId, stranger)
  const asTaken = { fullName: 'Bob', email: stranger.email, password: newPassword }
  await world.cannot('signUp', asTaken, 'auth/email-already-in-use')
  await ann.does('deleteAccount', { confirmationId: ann.uid })
  expect([...accounts.values()]).toEqual([stranger])
})

test('a password that is refused here after Firebase has it works no more', async () => {
  const { world, at, find } = await aWorldAtFirebase()
  const { email } = await world.aPerson()
  const oobCode = await world.resetCode(email)
  // Somebody else uses the link meanwhile.
  at.changed = () => world.pool.query('update action_codes set ended_at = now()')
  const reset = { oobCode, newPassword }
  await world.cannot('confirmPasswordReset', reset, 'auth/invalid-action-code')
  expect(find(email)).not.toHaveProperty('password')
})

test('an address that is refused here after Firebase has it is put back, and the password stays', async () => {
  const { world, at, find } = await aWorldAtFirebase()
  const ann = await world.aPerson('ann', { verified: false })
  at.changed = () => world.pool.query('delete from sessions')
  await ann.cannot('correctEmail', { email: 'anne@example.com' }, 'sessionEnded')
  expect(find('anne@example.com')).toBeUndefined()
  expect(find(ann.email)).toMatchObject({ localId: ann.uid, password: ann.password })
})

test('what others change meanwhile, Firebase hears before the change that is kept last', async () => {
  const { world, at, find, countUpdates } = await aWorldAtFirebase()
  const ann = await world.aPerson()
  const before = countUpdates()
  at.changed = async () => {
    at.changed = async () => undefined
    await world.pool.query('update users set credentials_version = credentials_version + 1')
    delete find(ann.email)!.password
  }
  await ann.does('updatePassword', { newPassword })
  expect(countUpdates() - before).toBe(2)
  expect(find(ann.email)).toMatchObject({ password: newPassword })
})
