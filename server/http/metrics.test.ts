import { expect, test } from 'vitest'
import { aWorld } from '../../tests/world.ts'

test('the metrics count API calls by name and outcome, and can be read with METRICS_TOKEN', async () => {
  const world = await aWorld({ METRICS_TOKEN: 'of-the-operator' })
  await world.aPerson()
  await world.request('/api/made-up', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"data":{}}',
  })
  const scrape = (token: string) =>
    world.request('/metrics', { headers: { authorization: `Bearer ${token}` } })
  const text = await (await scrape('of-the-operator')).text()
  expect(text).toContain('atrium_call_duration_seconds_count{call="signUp",outcome="ok"} 1')
  expect(text).toContain('atrium_call_duration_seconds_count{call="unknown",outcome="not-found"} 1')
  expect((await scrape('guessed')).status).toBe(401)
})

test('a server without METRICS_TOKEN shows no metrics', async () => {
  const world = await aWorld()
  expect(await (await world.request('/metrics')).text()).not.toContain('atrium_')
})
