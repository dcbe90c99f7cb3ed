import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aFolder, aServer, aStarted } from './a-server.ts'

test('the inbox is shown beside a running server, and without one', async () => {
  const env = { DATA_DIR: await aFolder() }
  const server = await aStarted({ env })
  const shown = { code: 0, stdout: 'Nothing has failed in the inbox.\n', stderr: '' }
  expect(await aTool('server/commands/inbox.ts', { env })).toEqual(shown)
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  server.child.kill()
  await server.ended
  expect(await aTool('server/commands/inbox.ts', { env })).toEqual(shown)
  await aStarted({ env })
})

test('an event that is not in the inbox is not replayed', async () => {
  const env = { DATA_DIR: await aFolder() }
  await aStarted({ env })
  const { code, stderr } = await aTool('server/commands/inbox.ts', {
    args: ['replay', 'evt_none'],
    env,
  })
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'There is no failed event evt_none in the inbox.\n',
  })
})

test('where no server has been there is no inbox, and none is made', async () => {
  const DATA_DIR = join(await aFolder(), 'data')
  const { code, stderr } = await aTool('server/commands/inbox.ts', { env: { DATA_DIR } })
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^There is no data in DATA_DIR [^\n]+\n$/),
  })
  expect(existsSync(DATA_DIR)).toBe(false)
})

test.each([
  ['without a key', {}, /^STRIPE_SECRET_KEY/],
  ['with another key', { STRIPE_SECRET_KEY: 'pk_test_1' }, /^STRIPE_SECRET_KEY must be/],
])('no account is set up %s', async (_, env, why) => {
  const { code, stderr } = await aTool('server/commands/stripe-setup.ts', { env })
  expect({ code, lines: stderr.trim().split('\n').length }).toEqual({ code: 1, lines: 1 })
  expect(stderr).toMatch(why)
})

test('a check of payments is skipped without a key, and refused with a live one', async () => {
  const check = 'scripts/test-stripe.mjs'
  expect(await aTool(check)).toEqual({
    code: 0,
    stdout: 'skipped: no STRIPE_SECRET_KEY\n',
    stderr: '',
  })
  const { code, stderr } = await aTool(check, { env: { STRIPE_SECRET_KEY: 'sk_live_1' } })
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('live') })
})

async function aTool(
  file: string,
  { args = [] as string[], env = {} as Record<string, string> } = {},
) {
  return (await aServer({ args: [file, ...args], env })).ended
}
