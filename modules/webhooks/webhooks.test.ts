import { rateLimits } from '#config/limits.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'
import { anHttpServer } from '../../tests/http-server.ts'
import {
  aWorld,
  openWorld,
  reasonOf,
  secretKey,
  type Person,
  type World,
} from '../../tests/world.ts'
import { record } from '../../server/activity/record.ts'
import { newKey } from '../../server/platform/secrets.ts'
import { limits } from './limits.ts'

const local = { ALLOW_PRIVATE_WEBHOOKS: '1' }

type Told = { type: string; timestamp: string; data: Record<string, unknown> }
type Answer = Parameters<typeof anHttpServer>[0]

/** A project with a webhook, and what its receiver gets. */
async function aWebhook({ answer = accepting, events = ['*'] }: Options = {}) {
  const world = await aWorld(local)
  const project = await world.aProject({ people: { bob: ['admin' as const], carla: [] } })
  return { world, ...project, ...(await aWebhookOf({ world, ...project }, { answer, events })) }
}

type Options = { answer?: Answer; events?: string[] }

async function aWebhookOf(
  { world, id: subscriptionId, owner }: { world: World; id: string; owner: Person },
  { answer = accepting, events = ['*'] }: Options = {},
) {
  const receiver = await anHttpServer(answer)
  const url = `http://${receiver.host}/hook`
  const here = { subscriptionId }
  const made = await owner.does('createWebhook', { ...here, url, events })
  const hook = { ...here, webhookId: made.webhook.id }
  let by = owner
  /** Lets time pass, after which the owner signs in again. */
  const pass = async (milliseconds: number) => {
    world.pass(milliseconds)
    by = await world.signedIn(owner)
    return by
  }
  const renames = (...names: string[]) => renameAll(by, subscriptionId, names)
  /** The first so many events that came, each of which the library accepts. */
  const heard = async (count: number, secret = made.secret) => {
    while (receiver.asked.length < count) await delay(10)
    return receiver.asked.slice(0, count).map(({ headers, body }) => {
      const told = new Webhook(secret).verify(body, headers as Record<string, string>) as Told
      return { id: headers['webhook-id'] as string, ...told }
    })
  }
  const log = async () => (await by.does('listDeliveries', hook)).deliveries
  const find = async () => {
    const { webhooks } = await by.does('listWebhooks', here)
    return webhooks.find(({ id }) => id === hook.webhookId)!
  }
  return { ...made, receiver, url, here, hook, pass, renames, heard, log, find }
}

function accepting() {
  return { status: 200, body: 'thanks' }
}

async function renameAll(by: Person, subscriptionId: string, names: string[]) {
  for (const name of names)
    await by.does('updateSubscriptionSettings', { subscriptionId, settings: { name } })
}

const nameIn = ({ data }: Told) => (data['details'] as { to?: string }).to

async function until(isSo: () => Promise<boolean> | boolean) {
  while (!(await isSo())) await delay(10)
}

test('a change reaches the receiver, signed, with ids and names and no address', async () => {
  const { owner, carla, id, renames, heard, log } = await aWebhook()
  await renames('Bridge')
  await owner.permits(id, carla, ['admin'])
  await owner.invites(id, 'zoe@example.com')
  const [renamed, permitted, invited] = await heard(3)
  expect(renamed).toMatchObject({
    type: 'settingsChanged',
    data: {
      subscription_id: id,
      actor: { id: owner.uid, name: 'owner' },
      subject: null,
      details: { fields: ['name'], from: '', to: 'Bridge' },
    },
  })
  expect(permitted!.data).toMatchObject({ subject: { id: carla.uid, name: 'carla' } })
  expect(invited!.data).toMatchObject({ subject: null })
  expect(JSON.stringify([renamed, permitted, invited])).not.toContain('@')
  await until(async () => (await log()).every(({ state }) => state === 'delivered'))
  const [last] = await log()
  expect(last).toMatchObject({ id: invited!.id, event: 'inviteSent', tries: 1, status: 200 })
  expect(last).toMatchObject({ answer: 'thanks', error: null })
})

test('a webhook hears only of the events that it names, and of none of its own', async () => {
  const { owner, hook, renames, receiver } = await aWebhook({ events: ['settingsChanged'] })
  await owner.invites(hook.subscriptionId, 'zoe@example.com')
  await owner.does('renewWebhookSecret', hook)
  await renames('Bridge')
  await until(() => receiver.asked.length > 0)
  expect(receiver.asked.map(({ body }) => JSON.parse(body).type)).toEqual(['settingsChanged'])
})

test('what is rolled back tells nobody', async () => {
  const { world, id, owner, renames, heard, receiver } = await aWebhook()
  const failed = world.services.transaction(async (services) => {
    await record('settingsChanged', { by: owner, in: id, details: { to: 'Never' } }, services)
    throw new Error('it fails')
  })
  await expect(failed).rejects.toThrow('it fails')
  await renames('Bridge')
  expect((await heard(1)).map(nameIn)).toEqual(['Bridge'])
  expect(receiver.asked).toHaveLength(1)
})

test('two servers deliver each event once and in order', async () => {
  const { world, renames, heard, receiver, find } = await aWebhook()
  await openWorld(world.connection, local)
  const names = Array.from({ length: 60 }, (_, index) => `Bridge ${index}`)
  await renames(...names)
  expect((await heard(names.length)).map(nameIn)).toEqual(names)
  await until(async () => (await find()).waiting === 0)
  expect(receiver.asked).toHaveLength(names.length)
})

test('an event that is refused holds back those after it, until it is accepted', async () => {
  let isDown = true
  const answer = () => (isDown ? { status: 503, body: 'down' } : accepting())
  const { pass, renames, receiver, find, log } = await aWebhook({ answer })
  await renames('One')
  const tried = async (tries: number) => until(async () => (await log()).at(-1)?.tries === tries)
  await tried(1)
  await renames('Two')
  for (const [index, pause] of limits.retries.slice(0, 3).entries()) {
    await pass(pause)
    await tried(index + 2)
  }
  expect((await log()).map(({ state, tries, status }) => [state, tries, status])).toEqual([
    ['waiting', 0, null],
    ['waiting', 4, 503],
  ])
  isDown = false
  await pass(limits.retries[3])
  await until(async () => (await find()).waiting === 0)
  const ids = receiver.asked.map(({ headers }) => headers['webhook-id'])
  expect(new Set(ids.slice(0, 5)).size).toBe(1)
  expect(receiver.asked.map(({ body }) => nameIn(JSON.parse(body)))).toEqual([
    ...Array<string>(5).fill('One'),
    'Two',
  ])
})

/** Lets the event that waits first fail until the webhook is paused. */
async function failFully({ pass, log, find }: Hooked) {
  for (const [index, pause] of limits.retries.entries()) {
    await until(async () => (await log()).some(({ tries }) => tries === index + 1))
    await pass(pause)
  }
  await until(async () => (await find()).status === 'paused')
}
type Hooked = Awaited<ReturnType<typeof aWebhook>>

test('after the last try the webhook is paused, administrators are mailed and it skips nothing', async () => {
  let isDown = true
  const answer = () => (isDown ? { status: 500, body: '' } : accepting())
  const hooked = await aWebhook({ answer })
  const { world, id, owner, bob, hook, pass, renames, receiver, find, url } = hooked
  await renames('One')
  await failFully(hooked)
  expect(await find()).toMatchObject({ paused_because: 'failing', waiting: 1 })
  expect(receiver.asked).toHaveLength(8)
  await world.untilWorkedOff()
  for (const { email } of [owner, bob]) {
    const [mail] = await world.mails(email)
    expect(mail!.subject).toContain('is paused')
    expect(mail!.text).toContain(new URL(url).host)
  }
  expect(await world.mails('carla@example.com')).not.toContainEqual(
    expect.objectContaining({ subject: expect.stringContaining('is paused') }),
  )
  const by = await pass(0)
  const { activity } = await by.does('listActivity', { subscriptionId: id, area: 'webhooks' })
  expect(activity[0]).toMatchObject({ kind: 'webhookPaused', actor: null })
  await renames('Two')
  isDown = false
  await by.does('updateWebhook', { ...hook, status: 'on' })
  await until(async () => (await find()).waiting === 0)
  expect(receiver.asked.slice(8).map(({ body }) => nameIn(JSON.parse(body)))).toEqual([
    'One',
    'Two',
  ])
})

test('switched on with after, a paused webhook goes on behind the event that failed', async () => {
  const answer = ({ body }: { body: string }) =>
    body.includes('"to":"One"') ? { status: 500, body: '' } : accepting()
  const hooked = await aWebhook({ answer })
  const { hook, pass, renames, receiver, find, log } = hooked
  await renames('One')
  await failFully(hooked)
  await renames('Two')
  const by = await pass(0)
  await by.does('updateWebhook', { ...hook, status: 'on', after: true })
  await until(async () => (await find()).waiting === 0)
  const states = (await log()).map(({ state }) => state)
  expect(states).toEqual(['delivered', 'failed'])
  expect(receiver.asked).toHaveLength(9)
})

test('while a person has paused a webhook its events wait, and a test is sent all the same', async () => {
  const { owner, hook, renames, heard, find } = await aWebhook()
  await owner.does('updateWebhook', { ...hook, status: 'paused' })
  await renames('Bridge')
  const { deliveryId } = await owner.does('sendTestEvent', hook)
  const [first] = await heard(1)
  expect(first).toMatchObject({ id: deliveryId, type: 'test' })
  expect(await find()).toMatchObject({ status: 'paused', paused_because: null, waiting: 1 })
  await owner.does('updateWebhook', { ...hook, status: 'on' })
  expect((await heard(2)).map(({ type }) => type)).toEqual(['test', 'settingsChanged'])
})

test('what is sent again has the same id, outside the order', async () => {
  const { world, owner, hook, renames, heard, find } = await aWebhook()
  await renames('One', 'Two')
  const [one, two] = await heard(2)
  await until(async () => (await find()).waiting === 0)
  expect(await owner.does('sendAgain', { ...hook, deliveryId: one!.id })).toEqual({ count: 1 })
  expect((await heard(3)).at(-1)).toMatchObject({ id: one!.id })
  const since = world.services.now().toISOString()
  await owner.cannot('sendAgain', hook, 'invalidInput')
  await owner.cannot('sendAgain', { ...hook, deliveryId: 'msg_x' }, 'deliveryNotFound')
  await until(
    async () => (await owner.does('sendAgain', { ...hook, since: two!.timestamp })).count > 0,
  )
  await heard(4)
  expect(await owner.does('sendAgain', { ...hook, since })).toEqual({ count: 0 })
  await world.useUp('catchUpsByWebhook', hook.webhookId, rateLimits.catchUpsByWebhook.tries)
  await owner.cannot('sendAgain', { ...hook, since }, 'auth/too-many-requests')
})

test('after a renewal both secrets sign for a day, and then only the new one', async () => {
  const { owner, hook, secret, pass, renames, heard, receiver } = await aWebhook()
  const { secret: renewed } = await owner.does('renewWebhookSecret', hook)
  await renames('One')
  for (const known of [secret, renewed]) expect(await heard(1, known)).toHaveLength(1)
  const by = await pass(limits.formerSecret)
  const { headers } = receiver.asked[0]!
  expect(String(headers['webhook-signature']).split(' ')).toHaveLength(2)
  await by.does('sendTestEvent', hook)
  await until(() => receiver.asked.length === 2)
  const [, { headers: later, body }] = receiver.asked as [never, (typeof receiver.asked)[number]]
  const verify = (known: string) => new Webhook(known).verify(body, later as Record<string, string>)
  expect(verify(renewed)).toBeTruthy()
  expect(() => verify(secret)).toThrow('No matching signature')
})

test('a slow receiver delays no other one', async () => {
  const answered = Promise.withResolvers<void>()
  const slow = await aWebhook({ answer: () => answered.promise.then(accepting) })
  const fast = await aWebhookOf(slow)
  await slow.renames('One', 'Two', 'Three')
  expect((await fast.heard(3)).map(nameIn)).toEqual(['One', 'Two', 'Three'])
  expect(slow.receiver.asked).toHaveLength(1)
  answered.resolve()
  expect(await slow.heard(3)).toHaveLength(3)
})

test('a changed address gets what waits, and a deleted webhook gets nothing more', async () => {
  const answer = () => ({ status: 500, body: '' })
  const { owner, hook, renames, log } = await aWebhook({ answer })
  const other = await anHttpServer(accepting)
  await renames('One')
  await until(async () => (await log())[0]?.tries === 1)
  await owner.does('updateWebhook', { ...hook, url: `http://${other.host}/` })
  await until(() => other.asked.length === 1)
  await owner.does('deleteWebhook', hook)
  await renames('Two')
  await owner.cannot('listDeliveries', hook, 'webhookNotFound')
  const { webhooks } = await owner.does('listWebhooks', { subscriptionId: hook.subscriptionId })
  expect(webhooks).toEqual([])
  expect(other.asked).toHaveLength(1)
})

test('a webhook that is deleted while an answer is awaited ends without harm', async () => {
  const answered = Promise.withResolvers<void>()
  const answer = () => answered.promise.then(accepting)
  const { world, owner, id, hook, renames, receiver } = await aWebhook({ answer })
  const other = await aWebhookOf({ world, id, owner })
  await renames('One', 'Two')
  await until(() => receiver.asked.length === 1)
  await owner.does('deleteWebhook', hook)
  answered.resolve()
  expect(await other.heard(2)).toHaveLength(2)
  await until(async () => (await other.find()).waiting === 0)
  expect(receiver.asked).toHaveLength(1)
})

test('a redirect is not followed, and only the beginning of an answer is kept', async () => {
  const other = await anHttpServer(accepting)
  const answer = () => ({
    status: 302,
    body: 'x'.repeat(5_000_000),
    headers: { location: `http://${other.host}/` },
  })
  const { renames, log } = await aWebhook({ answer })
  await renames('One')
  await until(async () => (await log())[0]?.tries === 1)
  const [sent] = await log()
  expect(sent).toMatchObject({ state: 'waiting', status: 302 })
  expect(sent!.answer).toHaveLength(limits.answerSize)
  expect(other.asked).toEqual([])
})

test.each([
  'http://example.com/',
  'ftp://example.com/',
  'https://user:secret@example.com/',
  'https://127.0.0.1/',
  'https://127.0.0.1./',
  'https://0x7f.1/',
  'https://2130706433/',
  'https://localhost/',
  'https://localhost./',
  'https://10.0.0.1/',
  'https://100.64.0.1/',
  'https://169.254.169.254/latest/meta-data',
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:10.0.0.1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::10.0.0.1]/',
  'https://[64:ff9b::10.0.0.1]/',
  'https://[2002:a00:1::]/',
  'https://[2001::1]/',
  'https://[fe80::1]/',
  'https://[fd00::1]/',
  'https://[ff02::1]/',
  'https://255.255.255.255/',
  'nonsense',
])('a webhook to %s is refused', async (url) => {
  const world = await aWorld()
  const { id: subscriptionId, owner } = await world.aProject()
  const made = { subscriptionId, url, events: ['*'] }
  await owner.cannot('createWebhook', made, 'webhookUrlNotAllowed')
})

test('with private webhooks allowed, http reaches this machine and nothing else', async () => {
  const world = await aWorld(local)
  const { id: subscriptionId, owner } = await world.aProject()
  const tries = (url: string) => owner.call('createWebhook', { subscriptionId, url, events: ['*'] })
  for (const url of ['http://127.0.0.1:1/', 'http://localhost:1/', 'https://[::1]:1/'])
    expect(reasonOf(await tries(url)), url).toBeUndefined()
  for (const url of ['http://10.0.0.1/', 'http://93.184.216.34/', 'https://10.0.0.1/'])
    expect(reasonOf(await tries(url)), url).toBe('webhookUrlNotAllowed')
})

test.each(['127.0.0.1', 'localhost'])(
  'an address is checked at each delivery: %s gets nothing once it is not allowed',
  async (host) => {
    const { world, owner, hook, url, receiver } = await aWebhook()
    await owner.does('updateWebhook', { ...hook, url: url.replace('127.0.0.1', host) })
    await world.stop()
    const strict = await openWorld(world.connection)
    const by = await strict.signedIn(owner)
    await by.does('sendTestEvent', hook)
    const log = async () => (await by.does('listDeliveries', hook)).deliveries
    await until(async () => (await log())[0]?.tries === 1)
    expect((await log())[0]).toMatchObject({ status: null, error: 'ADDRESS_NOT_ALLOWED' })
    expect(receiver.asked).toEqual([])
  },
)

test('a project has ten webhooks, also if two people add the last one at once', async () => {
  const { owner, bob, here, url } = await aWebhook()
  const made = { ...here, url, events: ['settingsChanged'] }
  for (let count = 1; count < 9; count++) await owner.does('createWebhook', made)
  const answers = await Promise.all([owner, bob].map((by) => by.call('createWebhook', made)))
  expect(answers.map(reasonOf).filter(Boolean)).toEqual(['tooManyWebhooks'])
  const { webhooks } = await owner.does('listWebhooks', here)
  expect(webhooks).toHaveLength(10)
})

test.each([[[]], [['signedIn']], [['webhookCreated']], [['*', 'memberJoined']], [['nonsense']]])(
  'a webhook for the events %j is refused',
  async (events) => {
    const world = await aWorld(local)
    const { id: subscriptionId, owner } = await world.aProject()
    const made = { subscriptionId, url: 'http://127.0.0.1:1/', events }
    await owner.cannot('createWebhook', made, 'unknownWebhookEvent')
  },
)

test('a webhook belongs to its project: others neither find it nor hear of it', async () => {
  const { world, hook, renames, heard } = await aWebhook()
  const other = await world.aPerson('zoe')
  const { subscriptionId } = await other.starts()
  await other.cannot('listDeliveries', { ...hook, subscriptionId }, 'webhookNotFound')
  await other.cannot('deleteWebhook', { ...hook, subscriptionId }, 'webhookNotFound')
  await renameAll(other, subscriptionId, ['Ferry'])
  await renames('Bridge')
  expect((await heard(1)).map(nameIn)).toEqual(['Bridge'])
})

test('whoever is removed while their webhook is made or changed is refused', async () => {
  const { world, id, hook, bob } = await aWebhook()
  const connection = await world.pool.connect()
  onTestFinished(() => connection.release())
  await connection.query('begin')
  await connection.query('select from subscriptions where id = $1 for update', [id])
  const made = { subscriptionId: id, url: 'http://127.0.0.1:1/', events: ['*'] }
  const asked = [
    bob.refusal('createWebhook', made),
    bob.refusal('updateWebhook', { ...hook, url: made.url }),
  ]
  const waiting = `select from pg_locks where not granted and locktype in ('transactionid', 'tuple')`
  while ((await world.pool.query(waiting)).rowCount! < asked.length) await delay(10)
  await connection.query('delete from members where user_id = $1', [bob.uid])
  await connection.query('commit')
  expect(await Promise.all(asked)).toEqual(['accessDenied', 'accessDenied'])
})

test('people without an account any more are told of without their names', async () => {
  const { owner, bob, hook, heard } = await aWebhook()
  await owner.does('updateWebhook', { ...hook, status: 'paused' })
  await bob.does('deleteAccount', { confirmationId: bob.uid })
  await owner.does('updateWebhook', { ...hook, status: 'on' })
  const [left] = await heard(1)
  expect(left).toMatchObject({ type: 'memberLeft', data: { actor: { id: bob.uid, name: '' } } })
})

test('a webhook whose secret can not be opened is paused, and goes on with a new one', async () => {
  const { world, owner, hook, renames, heard, receiver, find } = await aWebhook()
  const sealed = world.services.secrets.seal('factor', 'of another key')
  await world.pool.query('update webhooks set secret = $1', [sealed])
  await renames('One')
  await until(async () => (await find()).status === 'paused')
  expect(await find()).toMatchObject({ paused_because: 'secretLost', waiting: 1 })
  await world.untilWorkedOff()
  expect((await world.mails(owner.email))[0]!.text).toContain('Renew the secret')
  const { secret } = await owner.does('renewWebhookSecret', hook)
  await owner.does('updateWebhook', { ...hook, status: 'on' })
  expect((await heard(1, secret)).map(nameIn)).toEqual(['One'])
  expect(receiver.asked).toHaveLength(1)
})

test('secrets are sealed anew with another key, and stay as they are', async () => {
  const { world, owner, hook, heard } = await aWebhook()
  await world.stop()
  const key = newKey()
  const both = await openWorld(world.connection, { ...local, SECRET_KEY: `${key},${secretKey}` })
  await both.services.jobs.add('removeExpired', {})
  await both.untilWorkedOff()
  await both.stop()
  const after = await openWorld(world.connection, { ...local, SECRET_KEY: key })
  await (await after.signedIn(owner)).does('sendTestEvent', hook)
  expect(await heard(1)).toMatchObject([{ type: 'test' }])
})

test('receivers that do not answer hold up no job, and there may be more of them than jobs', async () => {
  const answered = Promise.withResolvers<void>()
  const answer = () => answered.promise.then(accepting)
  const first = await aWebhook({ answer })
  const others = await Promise.all(Array.from({ length: 9 }, () => aWebhookOf(first, { answer })))
  const zoe = await first.world.aPerson('zoe')
  const { subscriptionId: id } = await zoe.starts()
  const ofZoe = await Promise.all(
    Array.from({ length: 9 }, () => aWebhookOf({ world: first.world, id, owner: zoe }, { answer })),
  )
  await first.renames('One')
  await renameAll(zoe, id, ['One'])
  const all = [first, ...others, ...ofZoe]
  await until(() => all.every(({ receiver }) => receiver.asked.length === 1))
  await first.world.signUp('max')
  await first.world.untilWorkedOff()
  expect(await first.world.mails('max@example.com')).toHaveLength(1)
  answered.resolve()
  await until(async () => (await first.find()).waiting === 0)
})

test('the log has a thousand deliveries of thirty days', async () => {
  const { world, hook, pass, log } = await aWebhook()
  await world.pool.query(
    `insert into webhooks_deliveries (webhook_id, state, event, at, details)
     select $1, 'delivered', 'settingsChanged', now() - interval '1 day', '{}' from generate_series(1, 1200)`,
    [hook.webhookId],
  )
  const tidies = async () => {
    await world.services.jobs.add('removeExpired', {})
    await world.untilWorkedOff()
    return (await world.pool.query('select from webhooks_deliveries')).rowCount
  }
  expect(await tidies()).toBe(limits.log)
  await pass(limits.kept)
  expect(await log()).toEqual([])
  expect(await tidies()).toBe(0)
})
