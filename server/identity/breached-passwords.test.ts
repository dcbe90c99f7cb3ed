import { limits } from '#config/limits.ts'
import { expect, test } from 'vitest'
import { anHttpServer } from '../../tests/http-server.ts'
import { aLog, aWorld, type World } from '../../tests/world.ts'

/** The SHA-1 of the password is `start` and `rest`. */
const password = 'staple battery'
const start = '33659'
const rest = '526942962815F54140A11F057AC211EEA74'
/** Of another password. */
const otherRest = '5'.repeat(35)

const breached = `${otherRest}:3\r\n${rest}:42\r\n`
const refused = {
  status: 400,
  error: {
    details: { reason: 'auth/password-does-not-meet-requirements', requirement: 'breached' },
  },
}

/** A server that asks a service with these answers. */
async function aWorldThatAsks(answer: Parameters<typeof anHttpServer>[0]) {
  const service = await anHttpServer(answer)
  const { lines, log } = aLog('warn')
  const world = await aWorld({ BREACHED_PASSWORDS_URL: `http://${service.host}/range/` }, log)
  return { world, ...service, lines }
}

const aWorldWithAnswer = (body: string, status = 200) => aWorldThatAsks(() => ({ status, body }))

function signUp(world: World, chosen = password) {
  return world.call('signUp', { fullName: 'Ann', email: 'ann@example.com', password: chosen })
}

test('a breached password is refused, and the service hears five digits of its hash', async () => {
  const { world, asked, lines } = await aWorldWithAnswer(breached)
  expect(await signUp(world)).toMatchObject(refused)
  expect(asked).toMatchObject([
    { url: `/range/${start}`, headers: { 'add-padding': 'true' }, body: '' },
  ])
  expect(lines).toEqual([])
})

test('every way to a new password refuses a breached one', async () => {
  const { world } = await aWorldWithAnswer(breached)
  const ann = await world.aPerson('ann')
  const newPassword = password
  expect(await ann.call('updatePassword', { newPassword })).toMatchObject(refused)
  const oobCode = await world.resetCode(ann.email)
  expect(await world.call('confirmPasswordReset', { oobCode, newPassword })).toMatchObject(refused)
  const bob = await world.aPerson('bob', { verified: false })
  const code = await world.mailedCode(bob.email)
  expect(await world.call('claimAccount', { oobCode: code, newPassword })).toMatchObject(refused)
  await world.signedIn(ann)
})

test.each([
  ['others alone', `${otherRest}:3`],
  ['nothing', ''],
  ['the hash as padding', `${rest}:0\r\n${otherRest}:3`],
])('a password is accepted if the service lists %s', async (_, body) => {
  const { world, asked, lines } = await aWorldWithAnswer(body)
  expect(await signUp(world)).toMatchObject({ status: 200 })
  expect([asked.length, lines]).toEqual([1, []])
})

test('a service may write hashes in small letters, and lines without CR', async () => {
  const { world } = await aWorldWithAnswer(breached.toLowerCase().replaceAll('\r', ''))
  expect(await signUp(world)).toMatchObject(refused)
})

test('the service is not asked about a password that our own rules refuse', async () => {
  const { world, asked } = await aWorldWithAnswer('')
  expect(await signUp(world, 'password')).toMatchObject({ status: 400 })
  expect(asked).toEqual([])
})

test('without the variable nobody is asked', async () => {
  const world = await aWorld()
  expect(await signUp(world)).toMatchObject({ status: 200 })
})

test.each([
  ['fails', { status: 500, body: breached }, 'The status is 500.'],
  ['answers in another form', { status: 200, body: `<p>${breached}</p>` }, 'no list of hashes'],
  [
    'answers too much',
    { status: 200, body: breached.repeat(limits.passwords.breachesSize / 64) },
    'longer than',
  ],
  [
    'redirects',
    { status: 302, body: '', headers: { location: 'http://127.0.0.1:9/' } },
    'redirect',
  ],
])('a password is accepted if the service %s, and the log says it once', async (_, answer, why) => {
  const { world, asked, lines } = await aWorldThatAsks(() => answer)
  expect(await signUp(world)).toMatchObject({ status: 200 })
  const ann = await world.signedIn({ email: 'ann@example.com', password })
  await ann.does('updatePassword', { newPassword: 'another staple' })
  expect(asked).toHaveLength(2)
  expectWarning(lines, why)
})

test('a password is accepted if the service can not be reached', async () => {
  const { world, stop, lines } = await aWorldWithAnswer(breached)
  await stop()
  expect(await signUp(world)).toMatchObject({ status: 200 })
  expectWarning(lines, 'ECONNREFUSED')
})

test('a password is accepted if the service does not answer in time', async () => {
  const { world, lines } = await aWorldThatAsks(() => new Promise(() => undefined))
  expect(await signUp(world)).toMatchObject({ status: 200 })
  expectWarning(lines, 'timeout')
})

function expectWarning(lines: string[], why: string) {
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0]!)).toMatchObject({ reason: expect.stringContaining(why) })
  expect(lines[0]).not.toMatch(new RegExp(`${password}|${start}|${rest}`, 'i'))
}
