import type { PlanId } from '#config/plans.ts'
import { expect, test } from 'vitest'
import { aProject, countOutcomes, reasonOf } from '../../tests/world.ts'

/** Ann edits, Bob administers and Carla is a member. */
async function aTeam(plan: PlanId = 'free') {
  const people = { ann: ['editor' as const], bob: ['admin' as const], carla: [] }
  const team = await aProject({ plan, people })
  const { ann, carla, id: subscriptionId } = team
  const inProject = { subscriptionId }
  return {
    ...team,
    inProject,
    tries: (title: string, text = '', by = ann) =>
      by.call('createDocument', { subscriptionId, title, text }),
    writes: async (title: string, text = '', by = ann) => {
      const { documentId } = await by.does('createDocument', { subscriptionId, title, text })
      return { subscriptionId, documentId }
    },
    list: async (asked = {}) => carla.does('listDocuments', { subscriptionId, ...asked }),
  }
}

test('documents are listed in pages, the last changed first, and found by their titles', async () => {
  const { ann, carla, writes, list } = await aTeam('enterprise')
  const first = await writes('Café rules', 'No shoes.')
  for (let page = 1; page <= 11; page++) await writes(`Page ${page}`)
  await ann.does('updateDocument', { ...first, title: 'Café rules', text: 'Shoes.' })
  const titles = async (asked = {}) => (await list(asked)).documents.map(({ title }) => title)
  expect((await titles()).slice(0, 3)).toEqual(['Café rules', 'Page 11', 'Page 10'])
  expect(await titles({ page: 2 })).toEqual(['Page 2', 'Page 1'])
  expect(await list({ search: 'CAFE' })).toMatchObject({ total: 1, documents: [{ bytes: 17 }] })
  const { document } = await carla.does('getDocument', first)
  expect(document).toMatchObject({ text: 'Shoes.', updated_by: { name: 'ann' } })
})

test('only editors of an active project change documents, and every member reads them', async () => {
  const { ann, bob, carla, owner, id, tries, writes, list } = await aTeam()
  const mine = await writes('Plan')
  for (const by of [bob, carla])
    expect(reasonOf(await tries('x', '', by))).toBe('permissionRequired')
  await owner.does('deleteDocument', await writes('Draft', '', owner))
  await owner.cancels(id)
  await ann.cannot('deleteDocument', mine, 'subscriptionCanceled')
  expect(await list()).toMatchObject({ total: 1 })
  const { activity } = await owner.does('listActivity', { subscriptionId: id, area: 'documents' })
  expect(activity.map(({ kind, details }) => [kind, details['title']])).toEqual([
    ['documentDeleted', 'Draft'],
    ['documentCreated', 'Draft'],
    ['documentCreated', 'Plan'],
  ])
})

test('a document is found in its own project only', async () => {
  const { world, ann, writes } = await aTeam()
  const { documentId } = await writes('Plan')
  const { subscriptionId } = await ann.starts()
  await ann.cannot('getDocument', { subscriptionId, documentId }, 'documentNotFound')
  await world.pool.query('delete from subscriptions where id <> $1', [subscriptionId])
  expect((await world.pool.query('select from documents')).rowCount).toBe(0)
})

test('of two who change a document at once, one learns what the other has saved', async () => {
  const { ann, owner, carla, writes } = await aTeam()
  const place = await writes('Plan')
  const { updated } = (await carla.does('getDocument', place)).document
  const saves = [ann, owner].map((by) =>
    by.call('updateDocument', { ...place, title: by.email, text: '', ifUnchangedSince: updated }),
  )
  const refused = (await Promise.all(saves)).find(({ error }) => error)
  expect(reasonOf(refused!)).toBe('documentChanged')
  const { document } = await carla.does('getDocument', place)
  expect(refused!.error!.details).toMatchObject({ document })
  await ann.does('updateDocument', {
    ...place,
    title: 'Ours',
    text: '',
    ifUnchangedSince: document.updated,
  })
})

test('of two who add the last document of the plan at once, one is told that it is full', async () => {
  const { carla, inProject, tries, writes } = await aTeam()
  await writes('One')
  await writes('Two')
  const answers = await Promise.all([tries('Three'), tries('Four')])
  expect(countOutcomes(answers)).toEqual({ done: 1, limitReached: 1 })
  const { usage } = await carla.does('getUsage', inProject)
  expect(usage).toContainEqual({ limit: 'documents', used: 3, most: 3 })
})

test('texts take storage in bytes, and a text that gets shorter always fits', async () => {
  const { world, ann, id, tries, writes } = await aTeam('pro')
  const place = await writes('Long', 'é'.repeat(20_000))
  await writes('Short', 'x'.repeat(9_992))
  await world.pool.query(`update subscriptions set plan_id = 'free' where id = $1`, [id])
  expect((await tries('x')).error?.details).toMatchObject({
    limit: 'documentStorage',
    most: 50_000,
  })
  await ann.does('updateDocument', { ...place, title: 'Long', text: 'é'.repeat(19_999) })
})

test('the download of all documents is part of the plans that name it', async () => {
  const [free, pro] = [await aTeam(), await aTeam('pro')]
  await free.carla.cannot('exportDocuments', free.inProject, 'notInPlan')
  await pro.writes('Plan', 'By Friday')
  const { documents } = await pro.carla.does('exportDocuments', pro.inProject)
  expect(documents).toMatchObject([{ title: 'Plan', text: 'By Friday' }])
})

test('people get their documents with their data, and leave them without a name', async () => {
  const { ann, carla, writes } = await aTeam()
  const place = await writes('Plan')
  expect((await ann.does('exportUser', {})).data).toMatchObject({ documents: [{ title: 'Plan' }] })
  expect((await carla.does('exportUser', {})).data).toMatchObject({ documents: [] })
  await ann.does('deleteAccount', { confirmationId: ann.uid })
  const { document } = await carla.does('getDocument', place)
  expect(document).toMatchObject({ title: 'Plan', created_by: null, updated_by: null })
})
