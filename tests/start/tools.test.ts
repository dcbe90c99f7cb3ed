import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aFolder, aServer, aStarted, whyNot } from './a-server.ts'

test('the inbox command works while a server runs, and while none runs', async () => {
  const env = { DATA_DIR: await aFolder() }
  const server = await aStarted({ env })
  const shown = { code: 0, stdout: 'Nothing has failed in the inbox.\n', stderr: '' }
  const args = ['server/commands/inbox.ts']
  expect(await (await aServer({ args, env })).ended).toEqual(shown)
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  server.child.kill()
  await server.ended
  expect(await (await aServer({ args, env })).ended).toEqual(shown)
  await aStarted({ env })
})

test('the inbox command makes no data folder where no server has run', async () => {
  const DATA_DIR = join(await aFolder(), 'data')
  const tool = await aServer({ args: ['server/commands/inbox.ts'], env: { DATA_DIR } })
  expect(await whyNot(tool)).toMatch(/^There is no data in DATA_DIR /)
  expect(existsSync(DATA_DIR)).toBe(false)
})

test.each([
  ['without a key', {}, /^STRIPE_SECRET_KEY/],
  ['with another key', { STRIPE_SECRET_KEY: 'pk_test_1' }, /^STRIPE_SECRET_KEY must be/],
])('stripe-setup %s fails with one line that says why', async (_, env, why) => {
  const tool = await aServer({ args: ['server/commands/stripe-setup.ts'], env })
  expect(await whyNot(tool)).toMatch(why)
})

test('stripe:check skips itself without a key, and refuses a live key', async () => {
  const args = ['scripts/test-stripe.mjs']
  const skipped = { code: 0, stdout: 'skipped: no STRIPE_SECRET_KEY\n', stderr: '' }
  expect(await (await aServer({ args })).ended).toEqual(skipped)
  const { code, stderr } = await (
    await aServer({ args, env: { STRIPE_SECRET_KEY: 'sk_live_1' } })
  ).ended
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('live') })
})
