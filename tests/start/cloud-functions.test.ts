import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aFreePort } from '../../tools/free-port.ts'
import { asksBy, billingInfo } from '../person.ts'
import { ann, aPostgres, aServer, aStarted, root } from './a-server.ts'

const framework = 'node_modules/@google-cloud/functions-framework/build/src/main.js'
const args = [framework, '--target=atrium', '--source=.cache/test-server/function.js']

test('Google’s functions framework answers the main job, and a worker beside it sends the mails', async () => {
  const PORT = String(await aFreePort())
  const shared = { DATABASE_URL: await aPostgres(), PUBLIC_URL: `http://127.0.0.1:${PORT}` }
  await aStarted({ env: { ...shared, ROLE: 'worker' } })
  const { url, call } = await aStarted({ env: { ...shared, PORT }, args })
  const { does } = asksBy(call)
  const codeOf = async (to: string, name: string) => {
    for (;;) {
      const mails = await (await fetch(`${url}/dev/mail.json?to=${to}`)).json()
      for (const link of mails.flatMap((mail: { links: string[] }) => mail.links)) {
        const code = new URL(link).searchParams.get(name)
        if (code) return code
      }
    }
  }

  const { token } = await does('signUp', { fullName: 'Ann', ...ann })
  await does('applyActionCode', { oobCode: await codeOf(ann.email, 'oobCode') })
  const bought = { planId: 'pro', billingInfo: billingInfo('pm_card_visa') }
  const { subscriptionId } = await does('createSubscription', bought, { token })
  const bob = { email: 'bob@example.com', password: 'correct horse' }
  await does('createInvite', { subscriptionId, email: bob.email, permissions: [] }, { token })
  const invitee = await does('signUp', { fullName: 'Bob', ...bob })
  await does('applyActionCode', { oobCode: await codeOf(bob.email, 'oobCode') })
  const { invites } = await does('listInvites', {}, { token: invitee.token })
  await does('acceptInvite', { inviteId: invites[0]!.id }, { token: invitee.token })
  const { users } = await does('getSubscriptionUsers', { subscriptionId }, { token })
  expect(users.map(({ email, status }) => [email, status])).toEqual([
    [ann.email, 'active'],
    [bob.email, 'active'],
  ])
  const { invoices } = await does('listInvoices', { subscriptionId }, { token })
  expect(invoices).toMatchObject([{ status: 'paid', total: 1000 }])
  expect((await fetch(`${url}/pricing`)).headers.get('content-type')).toContain('text/html')
  const forged = { method: 'POST', body: '{}', headers: { 'stripe-signature': 't=1,v1=2' } }
  expect((await fetch(`${url}/webhooks/stripe`, forged)).status).toBe(400)
})

test('a function does not start without DATABASE_URL, and says why', async () => {
  const { code, stderr } = await (await aServer({ args })).ended
  expect(code).toBe(1)
  expect(stderr).toContain('A function needs DATABASE_URL')
})

test('the function’s package needs the versions that the product is tested with', async () => {
  const read = async (file: string) => JSON.parse(await readFile(join(root, file), 'utf8'))
  const { dependencies } = await read('deploy/cloud-functions/package.json')
  const { dependencies: own, devDependencies } = await read('package.json')
  expect({ ...own, ...devDependencies }).toMatchObject(dependencies)
})
