import type { PlanId } from '#config/plans.ts'
import { expect, test } from 'vitest'
import { anAuthenticator } from '../../tests/an-authenticator.ts'
import { aProject, countOutcomes, reasonOf } from '../../tests/world.ts'

/** Ann edits, Bob administers and Carla is a member. */
async function aTeam(plan: PlanId = 'free') {
  const people = { ann: ['editor' as const], bob: ['admin' as const], carla: [] }
  const team = await aProject({ plan, people })
  const here = { subscriptionId: team.id }
  const tries = (title: string, text = '', by = team.ann) =>
    by.call('createDocument', { ...here, title, text })
  const writes = async (...document: Parameters<typeof tries>) => ({
    ...here,
    documentId: (await tries(...document)).result!.documentId,
  })
  const list = (asked = {}) => team.carla.does('listDocuments', { ...here, ...asked })
  return { ...team, here, tries, writes, list }
}

test('documents are listed in pages, the last changed first, and found by their titles', async () => {
  const { ann, carla, writes, list } = await aTeam('enterprise')
  const first = await writes('Café rules', 'No shoes.')
  for (let page = 1; page <= 11; page++) await writes(`Page ${page}`)
  await ann.does('updateDocument', { ...first, title: 'Café rules', text: 'Shoes.' })
  const titles = async (page: number) => (await list({ page })).documents.map(({ title }) => title)
  expect((await titles(1)).slice(0, 3)).toEqual(['Café rules', 'Page 11', 'Page 10'])
  expect(await titles(2)).toEqual(['Page 2', 'Page 1'])
  expect(await list({ search: 'CAFE' })).toMatchObject({ total: 1, documents: [{ bytes: 17 }] })
  const { document } = await carla.does('getDocument', first)
  expect(document).toMatchObject({ text: 'Shoes.', updated_by: { name: 'ann' } })
})

test('only editors of an active project change documents, and every member reads them', async () => {
  const { ann, bob, carla, owner, here, tries, writes, list } = await aTeam()
  const plan = await writes('Plan')
  for (const by of [bob, carla])
    expect(reasonOf(await tries('x', '', by))).toBe('permissionRequired')
  await owner.does('deleteDocument', await writes('Draft', '', owner))
  await owner.cancels(here.subscriptionId)
  await ann.cannot('deleteDocument', plan, 'subscriptionCanceled')
  expect(await list()).toMatchObject({ total: 1 })
  const { activity } = await owner.does('listActivity', { ...here, area: 'documents' })
  expect(activity.map(({ kind, details }) => `${kind} ${String(details['title'])}`)).toEqual([
    'documentDeleted Draft',
    'documentCreated Draft',
    'documentCreated Plan',
  ])
})

test('a document is found in its own project only, and goes with it', async () => {
  const { world, ann, writes } = await aTeam()
  const { documentId } = await writes('Plan')
  const { subscriptionId } = await ann.starts()
  await ann.cannot('getDocument', { subscriptionId, documentId }, 'documentNotFound')
  await world.pool.query('delete from subscriptions')
  expect((await world.pool.query('select from documents')).rowCount).toBe(0)
})

test('of two who change a document at once, one learns what the other has saved', async () => {
  const { ann, owner, carla, writes } = await aTeam()
  const plan = await writes('Plan')
  const seen = async () => (await carla.does('getDocument', plan)).document
  const saves = (by: typeof ann, title: string, { updated }: { updated: string }) =>
    by.call('updateDocument', { ...plan, title, text: '', ifUnchangedSince: updated })
  const before = await seen()
  const answers = [saves(ann, 'Mine', before), saves(owner, 'My own', before)]
  const refused = (await Promise.all(answers)).find(({ error }) => error)
  const after = await seen()
  expect(refused!.error!.details).toEqual({ reason: 'documentChanged', document: after })
  expect(await saves(ann, 'Ours', after)).toMatchObject({ status: 200 })
})

test('of two people who add the plan’s last document at once, one is refused', async () => {
  const { carla, here, tries, writes } = await aTeam()
  for (const title of ['One', 'Two']) await writes(title)
  const answers = await Promise.all([tries('Three'), tries('Four')])
  expect(countOutcomes(answers)).toEqual({ done: 1, limitReached: 1 })
  const { usage } = await carla.does('getUsage', here)
  expect(usage).toContainEqual({ limit: 'documents', used: 3, most: 3 })
})

test('texts take storage in bytes, and a text that gets shorter always fits', async () => {
  const { world, ann, tries, writes } = await aTeam('pro')
  const long = await writes('Long', 'é'.repeat(20_000))
  await writes('Short', 'x'.repeat(9_992))
  await world.pool.query(`update subscriptions set plan_id = 'free'`)
  const { error } = await tries('x')
  expect(error!.details).toMatchObject({ limit: 'documentStorage', most: 50_000 })
  await ann.does('updateDocument', { ...long, title: 'Long', text: 'é'.repeat(19_999) })
})

test('a plan that allows fewer documents than there are is refused, and says so', async () => {
  const { owner, id: subscriptionId, writes } = await aTeam('pro')
  for (const title of ['One', 'Two', 'Three', 'Four']) await writes(title)
  const change = { subscriptionId, planId: 'free' }
  const { error } = await owner.call('previewPlanChange', change)
  const beyond = [{ limit: 'documents', used: 4, most: 3 }]
  expect(error!.details).toEqual({ reason: 'planTooSmall', beyond })
  await owner.cannot('changeSubscriptionPlan', change, 'planTooSmall')
})

test('the download of all documents is part of the plans that name it', async () => {
  const [free, pro] = [await aTeam(), await aTeam('pro')]
  await free.carla.cannot('exportDocuments', free.here, 'notInPlan')
  await pro.writes('Plan', 'By Friday')
  const { documents } = await pro.carla.does('exportDocuments', pro.here)
  expect(documents).toMatchObject([{ title: 'Plan', text: 'By Friday' }])
})

test('people get their documents with their data, and leave them without a name', async () => {
  const { ann, carla, writes } = await aTeam()
  const plan = await writes('Plan')
  expect((await ann.does('exportUser', {})).data).toMatchObject({ documents: [{ title: 'Plan' }] })
  await ann.does('deleteAccount', { confirmationId: ann.uid })
  const { document } = await carla.does('getDocument', plan)
  expect(document).toMatchObject({ title: 'Plan', created_by: null, updated_by: null })
})

test('people get none of the documents of a project that is shut to their session', async () => {
  const { world, here, ann, writes } = await aTeam()
  await writes('Plan')
  const shut = new Date(world.services.now())
  await world.services.store.subscriptions.setSecondFactorFrom(here.subscriptionId, shut)
  expect((await ann.does('exportUser', {})).data).toMatchObject({ documents: [] })
  await ann.cannot('listDocuments', here, 'factorRequired')
  await anAuthenticator(world, ann)
  expect((await ann.does('exportUser', {})).data).toMatchObject({ documents: [{ title: 'Plan' }] })
})
