// @module-tag slow
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aDashboard } from '../../tests/a-billed-project.ts'
import { adminOf } from '../../tests/an-operator.ts'
import { aWorld } from '../../tests/world.ts'
import type { WrittenFile } from './people-file.ts'

const week = 7 * 24 * 3600
/** Of “pässwörter”. */
const passwordHash = '$2b$10$Bu8I/JhHuEqTn60ojdxQJOoUCng7HMtbBxHwK1KWqRXWuHRSZ5XMa'
const password = 'pässwörter'

const ann = {
  id: 'user_Ann1',
  email: ' Ann@Example.com',
  emailVerified: true,
  displayName: 'Ann Archer',
  created: '2024-02-03T10:00:00+01:00',
  passwordHash,
  providers: [{ provider: 'google', subject: '108' }],
}
const bob = { id: 'user_Bob2', email: 'bob@example.com', emailVerified: false, passwordHash }
const bridge = {
  id: 'sub_Bridge',
  ownerId: ann.id,
  planId: 'free',
  settings: { name: 'Bridge' },
  created: '2024-02-04T10:00:00Z',
  members: [{ userId: bob.id, permissions: ['editor' as const] }],
  invites: [{ email: 'carla@example.com', permissions: ['admin' as const] }],
}

/** A world, and an operator who imports a file into it. */
async function anImport() {
  const world = await aWorld()
  const operator = adminOf(world)
  const folder = await mkdtemp(join(tmpdir(), 'moving-'))
  const path = join(folder, 'people.json')
  const run = async (file: WrittenFile | string, ...more: string[]) => {
    await writeFile(path, typeof file === 'string' ? file : JSON.stringify(file))
    return JSON.parse(await operator.run('import', path, ...more, '--json')) as unknown
  }
  const refusal = async (file: object) =>
    run(file as WrittenFile).then(
      () => [],
      (error: Error) => error.message.split('\n').slice(1),
    )
  return { world, ...operator, imports: run, refusal }
}

/** Makes a subscription at the payment provider that another product began. */
async function theirSubscription(world: Awaited<ReturnType<typeof aWorld>>, price: string) {
  const { stripe, advance } = await aDashboard(world)
  const customer = await stripe.customers.create({ email: 'billing@example.com' })
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
  await stripe.customers.update(customer.id, {
    invoice_settings: { default_payment_method: card.id },
  })
  const { id } = await stripe.subscriptions.create({ customer: customer.id, items: [{ price }] })
  return { id, stripe, advance }
}

test('people of an import sign in with their password and have their projects, without a mail', async () => {
  const { world, imports, acts } = await anImport()
  expect(await imports({ users: [ann, bob], projects: [bridge] })).toEqual({
    added: { people: 2, withPassword: 2, projects: 1, paidProjects: 0, invites: 1 },
    hereAlready: { people: 0, projects: 0 },
  })
  const owner = await world.signedIn({ email: 'ann@example.com', password })
  expect(owner).toMatchObject({
    uid: ann.id,
    displayName: 'Ann Archer',
    emailVerified: true,
    claimed: true,
    creationTime: '2024-02-03T09:00:00.000Z',
  })
  expect(await owner.project(bridge.id)).toMatchObject({
    owner_id: ann.id,
    plan_id: 'free',
    settings: { name: 'Bridge' },
    permissions: { access: [ann.id, bob.id], editor: [bob.id], admin: [ann.id] },
  })
  const member = await world.signedIn({ email: bob.email, password })
  expect(member).toMatchObject({ displayName: 'bob', emailVerified: false, claimed: false })
  expect(await member.projects()).toMatchObject([{ id: bridge.id }])
  const carla = await world.aPerson('carla')
  const { invites } = await carla.does('listInvites', {})
  expect(invites).toMatchObject([{ subscription_name: 'Bridge', host_name: 'Ann Archer' }])
  await carla.does('acceptInvite', { inviteId: invites[0]!.id })
  const mails = await world.mails(bob.email)
  expect(mails.filter(({ subject }) => !subject.startsWith('New sign-in'))).toEqual([])
  expect(await acts()).toMatchObject([
    { kind: 'peopleImported', by: 'maria', details: { people: '2', projects: '1' } },
  ])
})

test('a sign-in provider’s account that came along leads to its person', async () => {
  const { world, imports } = await anImport()
  await imports({ users: [ann] })
  const found = await world.services.store.providerLinks.findUser('google', '108')
  expect(found).toMatchObject({ id: ann.id, email: 'ann@example.com' })
})

test('the same import again adds nothing, and check writes nothing', async () => {
  const { world, imports } = await anImport()
  const file = { users: [ann, bob], projects: [bridge] }
  const written = JSON.stringify({ users: [ann, { ...bob, avatarUrl: null }], projects: [bridge] })
  expect(await imports(written, 'check')).toMatchObject({ wouldAdd: { people: 2, projects: 1 } })
  await world.cannot('signIn', { email: bob.email, password }, 'auth/invalid-credential')
  await imports(file)
  expect(await imports(file)).toMatchObject({
    added: { people: 0, projects: 0, invites: 0 },
    hereAlready: { people: 2, projects: 1 },
  })
  const rest = { users: [{ ...bob, id: 'other', email: 'dan@example.com' }] }
  expect(await imports({ ...file, ...rest })).toMatchObject({ added: { people: 1 } })
})

test('a person who has an account here keeps it, with its password, and gets the projects', async () => {
  const { world, imports } = await anImport()
  const here = await world.aPerson('ann')
  expect(await imports({ users: [ann, bob], projects: [bridge] })).toMatchObject({
    added: { people: 1 },
    haveAnAccountHere: [{ email: here.email, account: here.uid }],
  })
  expect(await here.project(bridge.id)).toMatchObject({ owner_id: here.uid })
  await world.cannot('signIn', { email: here.email, password }, 'auth/invalid-credential')
  expect((await world.signIn(here)).status).toBe(200)
})

test('projects of an address that is not proved on both sides are refused', async () => {
  const { world, imports, refusal } = await anImport()
  await world.aPerson('ann', { verified: false })
  const problem = expect.stringContaining('ann@example.com has an account here')
  expect(await refusal({ users: [ann, bob], projects: [bridge] })).toEqual([
    expect.stringMatching(/^projects\[0\]\.ownerId: ann@example\.com has an account here/),
    problem,
  ])
  expect(await imports({ users: [ann, bob] })).toMatchObject({ added: { people: 1 } })
})

test('a disabled account stays disabled, and one without a password gets one by a reset', async () => {
  const { world, imports } = await anImport()
  const { passwordHash: _, ...dan } = { ...ann, id: 'dan', email: 'dan@example.com', providers: [] }
  await imports({ users: [{ ...ann, disabled: true }, dan] })
  await world.cannot('signIn', { email: 'ann@example.com', password }, 'auth/user-disabled')
  await world.cannot('signIn', { email: dan.email, password }, 'auth/invalid-credential')
  const newPassword = 'battery staple'
  const oobCode = await world.resetCode(dan.email)
  await world.does('confirmPasswordReset', { oobCode, newPassword })
  await world.does('signIn', { email: dan.email, password: newPassword })
})

test('a paid project goes on with its subscription, without receipts of earlier weeks', async () => {
  const { world, imports } = await anImport()
  const their = await theirSubscription(world, 'price_pro_weekly')
  await world.passAtProvider(week + 7200)
  const paid = { ...bridge, planId: 'pro', stripeSubscriptionId: their.id }
  expect(await imports({ users: [ann, bob], projects: [paid] })).toMatchObject({
    added: { projects: 1, paidProjects: 1 },
  })
  await world.untilWorkedOff()
  const owner = await world.signedIn({ email: 'ann@example.com', password })
  const receipts = async () =>
    (await world.mails('ann@example.com')).filter(({ subject }) => /receipt/i.test(subject))
  expect(await owner.project(bridge.id)).toMatchObject({
    plan_id: 'pro',
    status: 'active',
    payment: 'ok',
  })
  expect(await owner.invoices(bridge.id)).toMatchObject([{ status: 'paid' }, { status: 'paid' }])
  expect(await receipts()).toEqual([])
  await world.passAtProvider(week)
  expect(await owner.invoices(bridge.id)).toHaveLength(3)
  expect(await receipts()).toHaveLength(1)
  expect((await owner.changesPlan(bridge.id, 'enterprise')).status).toBe(200)
  expect(await owner.cards(bridge.id)).toMatchObject([{ isDefault: true, added_by: null }])
})

test('an overdue project comes as overdue, and nobody is told again of the try that failed', async () => {
  const { world, imports } = await anImport()
  const their = await theirSubscription(world, 'price_pro_weekly')
  await world.control({ charges: { fail: 100 } })
  await world.passAtProvider(week + 7200)
  const paid = { ...bridge, planId: 'pro', stripeSubscriptionId: their.id }
  await imports({ users: [ann, bob], projects: [paid] })
  await world.untilWorkedOff()
  expect(await world.mails('ann@example.com')).toEqual([])
  const owner = await world.signedIn({ email: 'ann@example.com', password })
  expect(await owner.project(bridge.id)).toMatchObject({ status: 'active', payment: 'past_due' })
  expect(await owner.invoices(bridge.id)).toMatchObject([{ status: 'open' }, { status: 'paid' }])
})

test('an invoice of before the move that goes back is seen, though it does not name the project', async () => {
  const { world, imports } = await anImport()
  const their = await theirSubscription(world, 'price_pro_weekly')
  const paid = { ...bridge, planId: 'pro', stripeSubscriptionId: their.id }
  await imports({ users: [ann, bob], projects: [paid] })
  await world.untilWorkedOff()
  const [invoice] = (await their.stripe.invoices.list({ expand: ['data.payments'] })).data
  const intent = invoice!.payments!.data[0]!.payment.payment_intent as string
  await their.stripe.refunds.create({ payment_intent: intent, amount: 300 })
  await their.advance(1)
  await world.untilWorkedOff()
  const owner = await world.signedIn({ email: 'ann@example.com', password })
  expect(await owner.invoices(bridge.id)).toMatchObject([{ amount_refunded: 300 }])
})

test('a project’s payment is refused if it does not run, has another price or another payee', async () => {
  const { world, refusal } = await anImport()
  const their = await theirSubscription(world, 'price_pro_weekly')
  const users = [ann, bob]
  const asPaid = (planId: string, stripeSubscriptionId?: string) =>
    refusal({ users, projects: [{ ...bridge, planId, stripeSubscriptionId }] })
  expect(await asPaid('pro')).toEqual([
    'projects[0].stripeSubscriptionId: must be given, because the plan pro costs something',
  ])
  expect(await asPaid('free', their.id)).toEqual([
    'projects[0].stripeSubscriptionId: must be left out, because the plan is free',
  ])
  expect(await asPaid('enterprise', their.id)).toEqual([
    `projects[0].planId: ${their.id} pays for the plan pro`,
  ])
  expect(await asPaid('platinum')).toEqual([
    'projects[0].planId: config/plans.ts has no plan platinum',
  ])
  expect(await asPaid('pro', 'sub_none')).toEqual([
    'projects[0].stripeSubscriptionId: at the payment provider there is no sub_none that runs',
  ])
  const buyer = await world.aPerson('buyer')
  const { subscriptionId } = await buyer.buys()
  const own = (await world.services.store.billing.find(subscriptionId))!.providerSubscriptionId!
  expect(await asPaid('pro', own)).toEqual([
    `projects[0].stripeSubscriptionId: pays for the project ${subscriptionId}`,
  ])
})

test('a file with mistakes is refused whole, and each mistake is named with its place', async () => {
  const { world, refusal, imports } = await anImport()
  const wrong = {
    users: [
      { ...ann, email: 'nobody', emailVerifed: true },
      { id: 'with space', email: 'x@example.com', emailVerified: 'yes' },
      { ...bob, passwordHash: '$scrypt$ln=30,r=8,p=1$c2FsdHNhbHQ$c2FsdHNhbHRzYWx0c2FsdA' },
    ],
    projects: [{ ...bridge, members: [{ userId: bob.id, permissions: ['king'] }] }],
  }
  expect(await refusal(wrong)).toEqual([
    'users[0].email: must be an e-mail address',
    'users[0]: Unrecognized key: "emailVerifed"',
    'users[1].id: must be 1 to 64 letters, digits or . : | @ _ -',
    'users[1].emailVerified: Invalid input: expected boolean, received string',
    expect.stringContaining('users[2].passwordHash: scrypt’s N times r times p is 8589934592'),
    'projects[0].members[0].permissions[0]: must be one of access, editor, admin',
  ])
  const odd = {
    users: [
      ann,
      { ...ann, email: 'else@example.com' },
      { ...bob, email: 'ann@example.com' },
      { ...ann, id: 'dan', email: 'dan@example.com' },
    ],
    projects: [
      {
        ...bridge,
        members: [{ userId: 'nobody', permissions: [] }],
        invites: [
          { email: 'ann@example.com', permissions: [] },
          { email: 'x@example.com', permissions: [], hostId: bob.id },
          { email: 'x@example.com', permissions: [] },
        ],
      },
    ],
  }
  expect(await refusal(odd)).toEqual([
    'users[1].id: user_Ann1 stands in the file twice',
    'users[2].email: ann@example.com stands in the file twice',
    'users[3].providers[0]: this is linked to another person',
    'projects[0].members[0].userId: there is no user nobody, neither in the file nor here',
    'projects[0].invites[0].email: ann@example.com is a member',
    'projects[0].invites[1].hostId: user_Bob2 is no administrator of the project, and can’t invite',
    'projects[0].invites[2].email: x@example.com is invited twice',
  ])
  await expect(imports('{')).rejects.toThrow('is not JSON.')
  await world.cannot('signIn', { email: bob.email, password }, 'auth/invalid-credential')
})

test('an id that is another address’s account here is refused, because systems share ids', async () => {
  const { imports, refusal } = await anImport()
  await imports({ users: [ann] })
  expect(await refusal({ users: [{ ...bob, id: ann.id }] })).toEqual([
    'users[0].id: the account user_Ann1 is here with the address ann@example.com: if it is the same person, write that address',
  ])
})

test('the example of the page about moving is a file that can be read', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/moving-here.md'), 'utf8')
  const [, example] = /```json\n([^]+?)```/.exec(page)!
  const { imports } = await anImport()
  await expect(imports(example!)).rejects.toThrow(/there is no user user_2.*\n.*no sub_1Abc that/)
})

test('a canceled project comes as one, and thousands of people come in one transaction', async () => {
  const { world, imports } = await anImport()
  const users = Array.from({ length: 2000 }, (_, index) => ({
    ...bob,
    id: `p${index}`,
    email: `p${index}@example.com`,
  }))
  const { invites: _, ...gone } = { ...bridge, status: 'canceled' as const, planId: 'pro' }
  expect(await imports({ users: [ann, bob, ...users], projects: [gone] })).toMatchObject({
    added: { people: 2002, projects: 1, paidProjects: 0 },
  })
  const owner = await world.signedIn({ email: 'ann@example.com', password })
  expect(await owner.projects()).toMatchObject([{ id: bridge.id, status: 'canceled' }])
})
