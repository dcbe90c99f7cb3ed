import { expect, test } from 'vitest'
import { aSandbox } from '@local/sandbox/testing'
import { aWorld } from '../tests/world.ts'

test('a server with Stripe’s keys has none of the payment sandbox’s routes', async () => {
  const { sandbox } = await aSandbox()
  const world = await aWorld({
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  })
  const routes = new Set(
    sandbox.routes.routes.map(
      ({ method, path }) => `${method === 'ALL' ? 'POST' : method} /sandbox${path}`,
    ),
  )
  expect(routes.size).toBeGreaterThan(10)
  for (const route of routes) {
    const [method, path] = route.split(' ')
    const answer = await world.request(path!, {
      method: method!,
      headers: { authorization: 'Bearer pk_test_sandbox' },
    })
    expect([route, answer.status]).toEqual([route, 404])
  }
})
