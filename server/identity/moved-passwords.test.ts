import { limits } from '#config/limits.ts'
import { expect, test } from 'vitest'
import { aWorld, inParallel } from '../../tests/world.ts'

const moved = {
  hash: '$2b$10$Bu8I/JhHuEqTn60ojdxQJOoUCng7HMtbBxHwK1KWqRXWuHRSZ5XMa',
  password: 'pässwörter',
}

/** A world in which Ann has a password whose hash another system made. */
async function aMovedPassword() {
  const world = await aWorld()
  const ann = await world.aPerson('ann')
  await world.services.identity.keepHashes!([{ userId: ann.uid, hash: moved.hash }])
  const hash = async () => {
    const { rows } = await world.pool.query('select hash from passwords')
    return rows[0]!.hash as string
  }
  return { world, ann, email: ann.email, hash }
}

test('a sign-in with another system’s hash puts one of ours in its place', async () => {
  const { world, email, hash } = await aMovedPassword()
  await world.cannot('signIn', { email, password: 'wrong' }, 'auth/invalid-credential')
  expect(await hash()).toBe(moved.hash)
  await world.does('signIn', { email, password: moved.password })
  expect(await hash()).toMatch(/^\$argon2id\$v=19\$m=1024,t=1,p=1\$/)
  await world.does('signIn', { email, password: moved.password })
})

test('a hash of ours with another cost is renewed too, by the password that a session repeats', async () => {
  const { world, ann, hash } = await aMovedPassword()
  const weak =
    '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  await world.services.store.users.setPassword({ userId: ann.uid, hash: weak })
  await ann.does('reauthenticate', { password: 'password' })
  expect(await hash()).toMatch(/^\$argon2id\$v=19\$m=1024,t=1,p=1\$/)
})

test('several sign-ins at once renew a hash, and none of them fails', async () => {
  const { world, email, hash } = await aMovedPassword()
  const answers = await inParallel(4, () => world.signIn({ email, password: moved.password }))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(await hash()).toMatch(/^\$argon2id\$/)
})

test('a sign-in that renews a hash does not undo a change of the password meanwhile', async () => {
  const { world, ann, email, hash } = await aMovedPassword()
  const { users } = world.services.store
  await ann.does('updatePassword', { newPassword: 'battery staple' })
  const changed = await hash()
  await users.replacePassword({ userId: ann.uid, former: moved.hash, hash: 'of a sign-in' })
  expect(await hash()).toBe(changed)
  await world.cannot('signIn', { email, password: moved.password }, 'auth/invalid-credential')
})

test('once hashes were moved, a wrong password takes as long for every address', async () => {
  const { world, email } = await aMovedPassword()
  const took = async (email: string) => {
    const begun = performance.now()
    await world.cannot('signIn', { email, password: 'wrong' }, 'auth/invalid-credential')
    return performance.now() - begun
  }
  await world.aPerson('bob')
  for (const address of [email, 'bob@example.com', 'nobody@example.com'])
    expect(await took(address)).toBeGreaterThanOrEqual(limits.passwords.wrongTakes - 5)
})

test('an account with another system’s hash has the limits of all others', async () => {
  const { world, email } = await aMovedPassword()
  await inParallel(10, () => world.signIn({ email, password: 'wrong' }))
  await world.cannot('signIn', { email, password: moved.password }, 'auth/too-many-requests')
})
