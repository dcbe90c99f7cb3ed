import { describe, expect, test } from 'vitest'
import { Refusal } from '../../server/platform/refusal.ts'
import { newId } from '../../server/platform/ids.ts'
import type { Store } from '../../server/store/store.ts'
import { expectRefused, refusalOf } from '../refusal-of.ts'
import type { Identity } from '../../server/providers/identity/identity.ts'

export type Opened = { identity: Identity; store: Store; disable: (uid: string) => Promise<void> }

const password = 'correct horse'
const caller = '203.0.113.7'

/** What every `Identity` must do. As in the calls, a test stores the user before the account. */
export function identityContract(name: string, open: () => Promise<Opened>) {
  describe(`${name}, as an Identity`, () => {
    test('a person signs in to an account with its password', async () => {
      const { signIn, aUser } = await aHouse()
      const { uid, email } = await aUser({ displayName: 'Ann Archer' })
      expect(await signIn(email)).toMatchObject({
        id: uid,
        email,
        emailVerified: false,
        displayName: 'Ann Archer',
        disabled: false,
      })
    })

    test('a wrong password and an unknown address get the same refusal', async () => {
      const { signIn, aUser } = await aHouse()
      const { email } = await aUser()
      const [wrong, unknown] = await Promise.all([
        refusalOf(signIn(email, 'wrong password')),
        refusalOf(signIn(anAddress(), 'wrong password')),
      ])
      expect(wrong.reason).toBe('auth/invalid-credential')
      expect(wrong.toBody()).toEqual(unknown.toBody())
    })

    test('of several parallel sign-ups one gets an address, and later ones are refused', async () => {
      const { signIn, aUser } = await aHouse()
      const email = anAddress()
      const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => aUser({ email })))
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      await expectRefused(aUser({ email }), 'auth/email-already-in-use')
      expect(await signIn(email)).toMatchObject({ email })
    })

    test('a weak password is refused, and changes nothing', async () => {
      const { signIn, aUser, setPassword } = await aHouse()
      await expectRefused(aUser({ password: '12345' }), 'auth/password-does-not-meet-requirements')
      const { uid, email } = await aUser()
      await expectRefused(setPassword(uid, '12345'), 'auth/password-does-not-meet-requirements')
      expect(await signIn(email)).toMatchObject({ id: uid })
    })

    test('after a change of the password only the new one works', async () => {
      const { signIn, aUser, setPassword } = await aHouse()
      const { uid, email } = await aUser()
      await setPassword(uid, 'battery staple')
      await expectRefused(signIn(email), 'auth/invalid-credential')
      expect(await signIn(email, 'battery staple')).toMatchObject({ id: uid })
    })

    test('nobody can sign in to an account without a password until it gets one', async () => {
      const { signIn, aUser, setPassword, hasPassword } = await aHouse()
      const { uid, email } = await aUser({ password: undefined })
      expect(await hasPassword(uid)).toBe(false)
      await expectRefused(signIn(email), 'auth/invalid-credential')
      await setPassword(uid, password)
      expect(await hasPassword(uid)).toBe(true)
      expect(await signIn(email)).toMatchObject({ id: uid })
    })

    test('a removed password no longer works, and a new one can be set', async () => {
      const { signIn, identity, aUser, setPassword, hasPassword } = await aHouse()
      const { uid, email } = await aUser()
      for (const _ of ['once', 'again']) await identity.removePassword(uid)
      expect(await hasPassword(uid)).toBe(false)
      await expectRefused(signIn(email), 'auth/invalid-credential')
      await setPassword(uid, 'battery staple')
      expect(await signIn(email, 'battery staple')).toMatchObject({ id: uid, email })
    })

    test('after a change of the address only the new one works', async () => {
      const { signIn, aUser, changeEmail } = await aHouse()
      const { uid, email } = await aUser()
      const newEmail = anAddress()
      await changeEmail(uid, newEmail)
      expect(await signIn(newEmail)).toMatchObject({
        id: uid,
        email: newEmail,
        emailVerified: true,
      })
      await expectRefused(signIn(email), 'auth/invalid-credential')
    })

    test('an address can’t be changed to that of another account', async () => {
      const { signIn, aUser, changeEmail } = await aHouse()
      const [ann, bob] = [await aUser(), await aUser()]
      await expectRefused(changeEmail(ann.uid, bob.email), 'auth/email-already-in-use')
      expect(await signIn(ann.email)).toMatchObject({ id: ann.uid })
      expect(await signIn(bob.email)).toMatchObject({ id: bob.uid })
    })

    test('a verified address stays verified', async () => {
      const { signIn, identity, store, aUser } = await aHouse()
      const { uid, email } = await aUser()
      await store.users.markVerified({ id: uid, now: new Date() })
      await identity.updateUser(uid, { emailVerified: true })
      expect(await signIn(email)).toMatchObject({ emailVerified: true })
    })

    test('nobody can sign in to a disabled account', async () => {
      const { signIn, disable, aUser } = await aHouse()
      const { uid, email } = await aUser()
      await disable(uid)
      await expectRefused(signIn(email), 'auth/user-disabled')
    })

    test('nobody can sign in to an account that is disabled here until it is enabled again', async () => {
      const { signIn, identity, store, aUser } = await aHouse()
      const { uid: id, email } = await aUser()
      const set = async (disabled: boolean) => {
        await store.users.setDisabled({ id, disabled, now: new Date() })
        await identity.updateUser(id, { disabled })
      }
      await set(true)
      await expectRefused(signIn(email), 'auth/user-disabled')
      await set(false)
      expect(await signIn(email)).toMatchObject({ id, disabled: false })
    })

    test('a deleted account is unknown, its address is free, and deleting it again changes nothing', async () => {
      const { signIn, identity, store, aUser, hasPassword } = await aHouse()
      const { uid, email } = await aUser()
      for (const _ of ['once', 'again']) {
        await store.users.remove({ id: uid })
        await identity.deleteUser(uid)
      }
      expect(await hasPassword(uid)).toBe(false)
      await expectRefused(signIn(email), 'auth/invalid-credential')
      const next = await aUser({ email })
      expect(await signIn(email)).toMatchObject({ id: next.uid })
    })

    test.each([
      ['in several scripts', 'Zoë Škvorecký 山田太郎 이영희 🦊'],
      ['from right to left', 'نجيب محفوظ'],
      ['with marks of their own', 'Zoe\u0308 D’Arcy-O"Brien <b>'],
    ])('names %s stay as they are', async (_, displayName) => {
      const { signIn, identity, store, aUser } = await aHouse()
      const { uid, email } = await aUser({ displayName })
      expect(await signIn(email)).toMatchObject({ displayName })
      await store.users.update(uid, { displayName: `${displayName} II` }, new Date())
      await identity.updateUser(uid, { displayName: `${displayName} II` })
      expect(await signIn(email)).toMatchObject({ displayName: `${displayName} II` })
    })

    test.each([
      'pässwörd 密码 🔑',
      ' with spaces around ',
      '"quoted" \\ <escaped>',
      // The longest one. No part of it repeats.
      Array.from({ length: 64 }, (_, index) => `${index * index * 7 + 1000}`.slice(-4)).join(''),
    ])('“%s” works as a password', async (password) => {
      const { signIn, aUser } = await aHouse()
      const { uid, email } = await aUser({ password })
      expect(await signIn(email, password)).toMatchObject({ id: uid })
      await expectRefused(signIn(email, `${password} `), 'auth/invalid-credential')
    })

    test('a password matches in every Unicode form of its characters', async () => {
      const { signIn, aUser } = await aHouse()
      const { uid, email } = await aUser({ password: 'pa\u0308sswo\u0308rter' })
      for (const typed of ['p\u00e4ssw\u00f6rter', 'pa\u0308sswo\u0308rter'])
        expect(await signIn(email, typed)).toMatchObject({ id: uid })
    })

    test('an update without fields changes nothing', async () => {
      const { signIn, identity, aUser } = await aHouse()
      const { uid, email } = await aUser({ displayName: 'Ann Archer' })
      await identity.updateUser(uid, {})
      expect(await signIn(email)).toMatchObject({ id: uid, email, displayName: 'Ann Archer' })
    })
  })

  async function aHouse() {
    const opened = await open()
    const { identity, store } = opened

    async function aUser(
      account: { email?: string; displayName?: string; password?: string | undefined } = {},
    ) {
      const user = {
        uid: newId(),
        email: anAddress(),
        emailVerified: false,
        displayName: 'Ann',
        password,
        ...account,
      }
      const prepared = user.password === undefined ? undefined : await prepare(user.password)
      const { uid: id, email, emailVerified, displayName } = user
      const added = { id, email, emailVerified, displayName, language: null, now: new Date() }
      const row = await store.users.add(added)
      if (!row) throw new Refusal('auth/email-already-in-use')
      await identity.createUser({ ...user, password: prepared })
      return user
    }

    const signIn = async (email: string, secret = password) =>
      identity.signInWithPassword(await store.users.findCredentials(email), secret, caller)

    async function setPassword(uid: string, password: string) {
      await identity.updateUser(uid, { password: await prepare(password) })
    }

    async function prepare(password: string) {
      return identity.preparePassword(password, { email: anAddress(), caller })
    }

    async function changeEmail(uid: string, email: string) {
      if (
        !(await store.users.setEmail({
          id: uid,
          email,
          emailVerified: true,
          claimed: true,
          now: new Date(),
        }))
      )
        throw new Refusal('auth/email-already-in-use')
      await identity.updateUser(uid, { email, emailVerified: true })
    }

    async function hasPassword(uid: string) {
      const user = await store.users.findRecord(uid)
      return user !== undefined && identity.hasPassword(user)
    }

    return { ...opened, signIn, aUser, setPassword, changeEmail, hasPassword }
  }
}

export function anAddress() {
  return `${newId()}@example.com`
}
