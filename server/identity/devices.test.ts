import { rateLimits } from '#config/limits.ts'
import { expect, test } from 'vitest'
import { aWorld, cookieHeader, type Person } from '../../tests/world.ts'

async function aHouse() {
  const world = await aWorld({ TRUST_PROXY: '1' })
  const ann = await world.aPerson()
  const signIn = async ({ email, password }: Person, cookie = '') => {
    const headers = {
      'x-forwarded-for': '203.0.113.7',
      'user-agent': 'Firefox/1 (X11; Linux)',
      cookie,
    }
    return cookieHeader(
      (await world.call('signIn', { email, password }, { headers })).headers.getSetCookie(),
    )
  }
  const notices = async () =>
    (await world.mails(ann.email)).filter(({ subject }) => subject.startsWith('New sign-in'))
  return { world, ann, signIn, notices }
}

test('a sign-in on a new device mails the owner a link to lock the account', async () => {
  const { world, ann, signIn, notices } = await aHouse()
  const cookie = await signIn(ann)
  const [notice, ...more] = await notices()
  expect(more).toEqual([])
  expect(notice!.text).toContain('on a new device: Firefox on Linux, from 203.0.113.7.')
  await signIn(ann, cookie)
  expect(await notices()).toHaveLength(1)
  const oobCode = new URL(notice!.links[0]!).searchParams.get('oobCode')!
  expect(await world.does('checkActionCode', { oobCode })).toMatchObject({ mode: 'secureAccount' })
})

test('no notice of a new device is mailed after signing up, or after signing in again on the same device', async () => {
  const { ann, signIn, notices } = await aHouse()
  await signIn(ann, ann.cookie)
  expect(await notices()).toEqual([])
})

test('a device that signed in to another account before counts as new', async () => {
  const { world, ann, signIn, notices } = await aHouse()
  const bob = await world.aPerson('bob')
  const both = await signIn(ann, bob.cookie)
  expect(await notices()).toHaveLength(1)
  await signIn(bob, both)
  await signIn(ann, both)
  expect(await notices()).toHaveLength(1)
  expect(await world.mails(bob.email)).toHaveLength(1)
})

test('the number of mails a day about sign-ins on new devices is limited, and they say so', async () => {
  const { ann, signIn, notices } = await aHouse()
  for (let index = 0; index < rateLimits.newDeviceNoticesByAccount.tries + 2; index++)
    await signIn(ann)
  const mails = await notices()
  expect(mails).toHaveLength(rateLimits.newDeviceNoticesByAccount.tries)
  const sentences = 'at most 3 of these emails a day. Your profile lists every device'
  for (const { text } of mails) expect(text).toContain(sentences)
})

test('changing the password makes every device count as new except the one on which it was changed', async () => {
  const { ann, signIn, notices } = await aHouse()
  const thiefs = await signIn(ann)
  const changed = await ann.call(
    'updatePassword',
    { newPassword: 'brand new horse' },
    { cookie: ann.cookie },
  )
  const renewed = { ...ann, password: 'brand new horse' }
  await signIn(renewed, cookieHeader(changed.headers.getSetCookie()))
  expect(await notices()).toHaveLength(1)
  await signIn(renewed, thiefs)
  expect(await notices()).toHaveLength(2)
})
