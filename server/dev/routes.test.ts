import { expect, test } from 'vitest'
import { aWorld } from '../../tests/world.ts'

test('the menu of development leads to the stand-ins that there are', async () => {
  const all = await (await (await aWorld()).request('/dev/chip.js')).text()
  for (const path of ['/dev/mail', '/sandbox', '/dev/people']) expect(all).toContain(path)
  const sending = await aWorld({ SMTP_URL: 'smtp://localhost' })
  const script = await (await sending.request('/dev/chip.js')).text()
  expect(script).toContain('/sandbox')
  expect(script).not.toContain('/dev/mail')
  expect((await sending.request('/dev/mail')).status).toBe(404)
})

test('the page of example people says how to make them, then who they are', async () => {
  const world = await aWorld()
  const page = async () => (await world.request('/dev/people')).text()
  expect(await page()).toContain('npm run seed')
  const examples = {
    password: 'over the <b>',
    people: [{ name: 'Ann', email: 'ann@example.com', text: 'Owns all' }],
    expired: [],
  }
  expect((await post(examples)).status).toBe(204)
  expect(await page()).toContain('over the &lt;b&gt;')
  expect(await page()).toContain('ann@example.com')
  for (const bad of ['x', { people: [] }, { ...examples, people: [{ name: 'Ann' }] }])
    expect((await post(bad)).status).toBe(400)
  expect((await post(examples, { origin: 'https://evil.example' })).status).toBe(403)
  expect((await post(examples, { host: 'evil.example' })).status).toBe(403)

  function post(body: unknown, headers: Record<string, string> = {}) {
    const type = { 'content-type': 'application/json' }
    const init = { method: 'POST', headers: { ...type, ...headers }, body: JSON.stringify(body) }
    return world.request('/dev/examples', init)
  }
})
