// @module-tag slow
import { expect, test } from 'vitest'
import {
  aProject,
  aWorld,
  aWorldWith,
  billingInfo,
  publicUrl,
  reasonOf,
} from '../../tests/world.ts'

const json = { 'content-type': 'application/json' }

async function aPost() {
  const world = await aWorld()
  return async (path: string, body: string, headers: Record<string, string> = json) => {
    const response = await world.request(path, { method: 'POST', headers, body })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text.startsWith('{') ? JSON.parse(text) : undefined,
    }
  }
}

test('an API request whose body is not the JSON object {"data": …} is a bad request', async () => {
  const post = await aPost()
  for (const body of [
    '',
    'not json',
    '[]',
    'null',
    '"data"',
    '{}',
    '{"data":{},"more":1}',
    '{"other":{}}',
  ]) {
    const answer = await post('/api/signIn', body)
    expect(answer.status, body).toBe(400)
    expect(answer.body.error).toMatchObject({ status: 'INVALID_ARGUMENT', message: 'Bad Request' })
  }
})

test('the API accepts only the content type application/json in UTF-8', async () => {
  const post = await aPost()
  const taken = await post('/api/refreshSession', '{"data":{}}', {
    'content-type': 'application/json; charset=UTF-8',
  })
  expect(taken.status).toBe(401)
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
  ])
    expect(
      (await post('/api/refreshSession', '{"data":{}}', { 'content-type': type })).status,
      type,
    ).toBe(400)
})

test('the API has no calls named like the properties of every JavaScript object, such as toString', async () => {
  const post = await aPost()
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'nothing', '']) {
    const answer = await post(`/api/${name}`, '{"data":{}}')
    expect(answer.status, name).toBe(404)
    expect(answer.body.error).toMatchObject({
      status: 'NOT_FOUND',
      details: { reason: 'unknownCall' },
    })
  }
})

test('a request whose body exceeds the size limit is refused and its connection closed, with or without a Content-Length header', async () => {
  const post = await aPost()
  const body = JSON.stringify({ data: { email: 'x'.repeat(1_000_000), password: 'secret' } })
  const said = await post('/api/signIn', body, { ...json, 'content-length': String(body.length) })
  const unsaid = await post('/api/signIn', body)
  for (const answer of [said, unsaid]) {
    expect([answer.status, reasonOf(answer.body)]).toEqual([400, 'bodyTooLarge'])
    expect(answer.headers.get('connection')).toBe('close')
  }
})

test('a refusal names the fields that are missing, unknown or malformed', async () => {
  const post = await aPost()
  const answer = await post('/api/signIn', '{"data":{"email":"ann@example.com","passwort":"x"}}')
  expect(answer.body.error.details).toEqual({
    reason: 'invalidInput',
    fields: { password: 'required', passwort: 'unknown' },
  })
})

test('a request with a string that PostgreSQL cannot store is refused before the call runs', async () => {
  const post = await aPost()
  for (const fullName of ['"a\\u0000b"', '"\\ud800"']) {
    const answer = await post(
      '/api/signUp',
      `{"data":{"fullName":${fullName},"email":"ann@example.com","password":"secret1"}}`,
    )
    expect(answer.body.error.details).toEqual({
      reason: 'invalidInput',
      fields: { fullName: 'malformed' },
    })
  }
})

test('every call that takes a name refuses one with a link or invisible characters', async () => {
  const { world, id: subscriptionId, owner } = await aProject()
  const { billingDetails } = billingInfo('pm_card_visa')
  const email = 'x@example.com'
  for (const name of ['Verify at https://evil.example', 'ｗｗｗ.evil', 'Ann\u200F', '\u3164']) {
    const wrong = { billingDetails: { ...billingDetails, name }, paymentMethodId: 'pm_card_visa' }
    const answers = {
      fullName: await world.call('signUp', { fullName: name, email, password: 'correct horse' }),
      displayName: await owner.call('updateProfile', { displayName: name }),
      display_name: await owner.call('saveUser', { display_name: name }),
      name: await owner.call('createInvite', { subscriptionId, email, permissions: [], name }),
      'settings.name': await owner.call('updateSubscriptionSettings', {
        subscriptionId,
        settings: { name },
      }),
      'billingInfo.billingDetails.name': await owner.call('createSubscription', {
        planId: 'pro',
        billingInfo: wrong,
      }),
    }
    const billing = ['name', await owner.updatesBilling(subscriptionId, { name })] as const
    for (const [field, { status, error }] of [...Object.entries(answers), billing])
      expect([status, error!.details], field).toEqual([
        400,
        { reason: 'nameNotAllowed', fields: { [field]: 'nameNotAllowed' } },
      ])
  }
})

test('a name that mails may show has no bare domain, and a person’s not the product’s name', async () => {
  const { world, id: subscriptionId, owner } = await aProject()
  const email = 'x@example.com'
  const callsWith = (name: string) => [
    world.call('signUp', { fullName: name, email, password: 'correct horse' }),
    owner.call('updateProfile', { displayName: name }),
    owner.call('saveUser', { display_name: name }),
    owner.call('createInvite', { subscriptionId, email, permissions: [], name }),
  ]
  const settings = { name: 'Account locked - evil.com/unlock' }
  await owner.cannot('updateSubscriptionSettings', { subscriptionId, settings }, 'nameNotAllowed')
  for (const answer of await Promise.all(callsWith('Support: verify at evil.com')))
    expect(reasonOf(answer)).toBe('nameNotAllowed')
  for (const answer of await Promise.all(callsWith('Pergola Support')))
    expect(reasonOf(answer)).toBe('nameOfProduct')
  await owner.renames(subscriptionId, 'The pergola')
})

test('a refusal names the problem of each invalid field, and only empty fields are called required', async () => {
  const { world, id: subscriptionId, owner } = await aProject()
  const { billingDetails } = billingInfo('x')
  const save = async (details: object) =>
    (await owner.updatesBilling(subscriptionId, { ...details })).error!.details
  expect(await save({ phone: '12' })).toEqual({
    reason: 'invalidInput',
    fields: { phone: 'too_small' },
  })
  expect(await save({ phone: ' ' })).toEqual({
    reason: 'addressIncomplete',
    fields: { phone: 'required' },
  })
  expect(
    await save({ phone: '12', address: { ...billingDetails.address, city: '', state: '' } }),
  ).toEqual({
    reason: 'addressIncomplete',
    fields: { phone: 'too_small', 'address.city': 'required', 'address.state': 'required' },
  })
  expect(await save({ phone: '+1 (217) 555-0100 ext. 12' })).toEqual({
    reason: 'invalidInput',
    fields: { phone: 'too_big' },
  })
  expect((await save({ name: 'x'.repeat(201) }))!['fields']).toEqual({ name: 'too_big' })
  expect((await owner.call('listSubscriptions', { page: 0 })).error!.details!['fields']).toEqual({
    page: 'too_small',
  })
  expect(
    (await owner.call('listSubscriptions', { page: '1' as never })).error!.details!['fields'],
  ).toEqual({ page: 'invalid_type' })
  expect((await world.call('signIn', { email: 'nobody', password: '' })).error!.details).toEqual({
    reason: 'auth/invalid-email',
    fields: { email: 'auth/invalid-email', password: 'required' },
  })
})

test('every answer has the request id from the header X-Request-Id, or a new one if that is missing or malformed', async () => {
  const post = await aPost()
  const given = await post('/api/signIn', '{}', { ...json, 'x-request-id': 'from-the-proxy-1' })
  expect(given.headers.get('x-request-id')).toBe('from-the-proxy-1')
  const own = await post('/api/signIn', '{}', { ...json, 'x-request-id': 'a line\tbreak' })
  expect(own.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
})

test('requests from pages of other sites can’t use the session cookie', async () => {
  const [world, ann] = await aWorldWith('ann')
  const refresh = (headers: Record<string, string>) =>
    world.call('refreshSession', {}, { headers: { cookie: ann.cookie, ...headers } })
  expect((await refresh({ 'sec-fetch-site': 'cross-site' })).status).toBe(401)
  expect((await refresh({ 'sec-fetch-site': 'same-site' })).status).toBe(401)
  expect((await refresh({ origin: 'https://evil.example' })).status).toBe(401)
  expect((await refresh({ origin: publicUrl, 'sec-fetch-site': 'same-origin' })).status).toBe(200)
})

test('a call without input accepts null, which some clients send', async () => {
  const post = await aPost()
  const answer = await post('/api/refreshSession', '{"data":null}')
  expect(answer.body.error.details.reason).toBe('notSignedIn')
})

test('URLs with a NUL character are refused', async () => {
  const world = await aWorld()
  for (const path of [
    '/dev/mail.json?to=%00',
    '/sandbox/invoices/%00',
    '/sandbox/stripe/v1/payment_intents/%00?client_secret=x',
    '/%00',
  ])
    expect((await world.request(path)).status, path).toBe(400)
})
