import { expect, test } from 'vitest'
import { setTimeout as delay } from 'node:timers/promises'
import { asksBy, billingInfo } from '../person.ts'
import { aPostgres, aServer, aStarted, whyNot } from './a-server.ts'

const framework = 'node_modules/@google-cloud/functions-framework/build/src/main.js'
const asFunction = [framework, '--target=app', '--source=dist/function']
// The function and the worker have the shipped configuration.
const shipped = { NODE_OPTIONS: '' }

test('the main job works through the functions framework, with a worker beside it', async () => {
  const env = { ...shipped, DATABASE_URL: await aPostgres() }
  await aStarted({ env: { ...env, ROLE: 'worker' }, args: ['dist/server/main.js'] })
  const server = await aStarted({ env, args: asFunction })
  const { does } = asksBy(server.call)
  const join = async (name: string) => {
    const email = `${name}@example.com`
    const { token } = await does('signUp', { fullName: name, email, password: 'correct horse' })
    await does('applyActionCode', { oobCode: await codeFor(server.url, email) }, { token })
    return { email, token }
  }
  const [ann, bob] = [await join('ann'), await join('bob')]
  await does('createSubscription', { planId: 'free' }, ann)
  const purchase = { planId: 'pro', billingInfo: billingInfo('pm_card_visa') }
  const { subscriptionId } = await does('createSubscription', purchase, ann)
  const invited = { subscriptionId, email: bob.email, permissions: ['access' as const] }
  const { inviteId } = await does('createInvite', invited, ann)
  await does('acceptInvite', { inviteId }, bob)
  const of = { subscriptionId, page: 1, pageSize: 10 } as const
  expect((await does('getSubscriptionUsers', of, ann)).total).toBe(2)
  expect((await does('listInvoices', of, ann)).invoices).toMatchObject([{ status: 'paid' }])
  expect(await (await fetch(server.url)).text()).toContain('<script type="module"')
})

test('a function that is asked to stop ends its live streams and frees what it holds', async () => {
  const server = await aStarted({
    env: { ...shipped, DATABASE_URL: await aPostgres(), LOG_LEVEL: 'info' },
    args: asFunction,
  })
  const { token } = (
    await server.call('signUp', {
      fullName: 'Ann',
      email: 'ann@example.com',
      password: 'correct horse',
    })
  ).result!
  const stream = await fetch(`${server.url}/live`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const streamed = stream.text()
  server.child.kill('SIGTERM')
  expect(await streamed).toContain('"because":"stopping"')
  expect(await server.ended).toMatchObject({ code: 0, stderr: '' })
})

test('a function without DATABASE_URL does not start, and says why', async () => {
  const server = await aServer({ env: shipped, args: asFunction })
  expect(await whyNot(server)).toMatch(/set DATABASE_URL/)
})

/** The code of the link in the newest mail, which the worker sends. */
async function codeFor(url: string, email: string) {
  type Mails = { links: string[] }[]
  for (;;) {
    const mails = (await (await fetch(`${url}/dev/mail.json?to=${email}`)).json()) as Mails
    const code = mails[0] && new URL(mails[0].links[0]!).searchParams.get('oobCode')
    if (code) return code
    await delay(20)
  }
}
