// @module-tag slow
import { setTimeout as delay } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { aDatabase } from '../../tests/database.ts'
import { anHttpServer } from '../../tests/http-server.ts'
import { aStarted } from '../../tests/start/a-server.ts'
import { openWorld, secretKey } from '../../tests/world.ts'

test('an event whose server was killed before it heard the answer comes again, with the same id', async () => {
  const { connection, url: DATABASE_URL } = await aDatabase()
  const local = { ALLOW_PRIVATE_WEBHOOKS: '1' }
  const world = await openWorld(connection, local)
  const { id: subscriptionId, owner } = await world.aProject()
  const answered = Promise.withResolvers<void>()
  const receiver = await anHttpServer(async () => {
    await answered.promise
    return { status: 200, body: '' }
  })
  const made = { subscriptionId, url: `http://${receiver.host}/`, events: ['*'] }
  const { secret } = await owner.does('createWebhook', made)
  await world.stop()
  const server = await aStarted({ env: { DATABASE_URL, SECRET_KEY: secretKey, ...local } })
  for (const name of ['One', 'Two'])
    await server.call('updateSubscriptionSettings', { subscriptionId, settings: { name } }, owner)
  while (receiver.asked.length < 1) await delay(10)
  server.child.kill('SIGKILL')
  await server.ended
  answered.resolve()
  await openWorld(connection, local)
  while (receiver.asked.length < 3) await delay(10)
  const told = receiver.asked.map(({ headers, body }) => {
    const { data } = new Webhook(secret).verify(body, headers as Record<string, string>) as {
      data: { details: { to: string } }
    }
    return [headers['webhook-id'], data.details.to]
  })
  expect(told.map(([, name]) => name)).toEqual(['One', 'One', 'Two'])
  expect(told[0]![0]).toBe(told[1]![0])
})
