import { expect, test } from 'vitest'
import { aSandbox } from '@local/sandbox/testing'
import { pino } from 'pino'
import { guardAccount } from '../../../billing/account.ts'
import type { CustomerId } from '../../../platform/ids.ts'
import { openDatabase } from '../../../sql/database.ts'
import { openStore } from '../../../store/store.ts'
import { aDatabase } from '../../../../tests/database.ts'
import { openStripePayments } from './stripe.ts'

/** Stripe's error for a restricted key that lacks the permission to read the account. */
const forbidden = {
  type: 'invalid_request_error',
  message:
    "The provided key 'rk_test_***' does not have the required permissions for this endpoint on account 'acct_1'.",
}

async function anAccount({ mayAsk }: { mayAsk: boolean }) {
  const { pool } = await aDatabase()
  const { sandbox, aCustomer } = await aSandbox({ pool })
  const answer = async (url: string, init?: RequestInit) =>
    !mayAsk && url.endsWith('/v1/account')
      ? Response.json({ error: forbidden }, { status: 403 })
      : sandbox.fetch(url, init)
  const options = { webhookSecret: 'whsec_of_the_tests', prices: [], fetch: answer as typeof fetch }
  const payments = openStripePayments({ secretKey: 'sk_test_sandbox', ...options })
  return {
    payments,
    pool,
    aCustomer,
    live: openStripePayments({ secretKey: 'rk_live_1', ...options }),
  }
}

test('a Stripe secret key shows the id and mode of its account, and a restricted key may show only the mode', async () => {
  expect(await (await anAccount({ mayAsk: true })).payments.findAccount()).toEqual({
    id: expect.stringMatching(/^acct_\w+$/),
    mode: 'test',
  })
  const restricted = await anAccount({ mayAsk: false })
  expect(await restricted.payments.findAccount()).toEqual({ id: undefined, mode: 'test' })
  expect(await restricted.live.findAccount()).toEqual({ id: undefined, mode: 'live' })
})

test('a deleted Stripe customer counts as a customer of the account', async () => {
  const { payments, aCustomer } = await anAccount({ mayAsk: true })
  const { customer } = await aCustomer()
  expect(await payments.knowsCustomer(customer.id as CustomerId)).toBe(true)
  await payments.removeCustomer(customer.id as CustomerId)
  expect(await payments.knowsCustomer(customer.id as CustomerId)).toBe(true)
  expect(await payments.knowsCustomer('cus_none' as CustomerId)).toBe(false)
})

test('a server with a restricted Stripe key checks the mode and the customers of the account, and keeps the stored account id', async () => {
  const { payments, pool, live, aCustomer } = await anAccount({ mayAsk: false })
  const store = openStore(openDatabase(pool))
  const { customer } = await aCustomer()
  await pool.query(
    `insert into subscriptions (id, plan_id, status, created_at, stripe_customer_id) values ('a', 'free', 'active', now(), $1)`,
    [customer.id],
  )
  const value = JSON.stringify({ id: 'acct_1', mode: 'test' })
  await store.installation.put('payment account', value)
  const log = pino({ level: 'silent' })
  await guardAccount({ payments, store, log })
  expect(JSON.parse((await store.installation.find('payment account'))!)).toEqual(JSON.parse(value))
  await expect(guardAccount({ payments: live, store, log })).rejects.toThrow('live mode')
  await pool.query(`update subscriptions set stripe_customer_id = 'cus_of_another_account'`)
  await expect(guardAccount({ payments, store, log })).rejects.toThrow('acct_1 (test mode)')
})
