// @module-tag slow
import { mkdtemp, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { adminOf } from '../../tests/an-operator.ts'
import { aWorld } from '../../tests/world.ts'
import { fireact } from '../commands/fireact.ts'
import type { WrittenFile } from './people-file.ts'

const folder = join(import.meta.dirname, 'fireact-export')
/** Of the example that Firebase publishes with its hash. */
const password = 'user1password'

/** Turns the exports of a made-up fireact into the file of an import. */
async function aFile(plans?: string) {
  const path = join(await mkdtemp(join(tmpdir(), 'fireact-')), 'people.json')
  return { path, said: await fireact(folder, path, plans) }
}

test('people of fireact sign in as before and find their projects, permissions and invitations', async () => {
  const { path } = await aFile('starter=free')
  const world = await aWorld()
  await adminOf(world).run('import', path)
  const ann = await world.signedIn({ email: 'ann@example.com', password })
  expect(ann).toMatchObject({ displayName: 'Ann Archer', claimed: true })
  expect(ann.creationTime).toBe('2017-10-25T01:12:05.000Z')
  const [bobId] = ['bobsUid0000000000000000000B2']
  expect(await ann.project('sub_Bridge')).toMatchObject({
    owner_id: ann.uid,
    plan_id: 'free',
    status: 'active',
    settings: { name: 'Bridge renewal' },
    permissions: { access: [ann.uid, bobId], admin: [ann.uid], editor: [bobId] },
  })
  expect(await ann.project('sub_Harbour')).toMatchObject({ status: 'canceled', plan_id: 'pro' })
  expect(await ann.projects()).toHaveLength(2)
  const { rows } = await world.pool.query('select hash from passwords where user_id = $1', [
    ann.uid,
  ])
  expect(rows[0]!.hash).toMatch(/^\$argon2id\$/)
  const bob = await world.services.store.providerLinks.findUser('google', '108000000000000000001')
  expect(bob).toMatchObject({ id: bobId, displayName: 'Bob Baker' })
  const carla = await world.signedIn({ email: 'carla@example.com', password })
  expect(carla).toMatchObject({ displayName: 'carla', emailVerified: false, claimed: false })
  expect(await ann.seats('sub_Bridge')).toMatchObject({ members: 2, pending: 1 })
})

test('what can’t be moved is named, and the file is for its owner alone', async () => {
  const { path, said } = await aFile()
  expect(said.split('\n')).toEqual([
    `Wrote ${path}: 3 people and 2 projects.`,
    'Left out: user phonesUid00000000000000000D4: has no e-mail address',
    'Left out: member goneUid0000000000000000000E5 of sub_Bridge: is not in users.json',
    'Left out: project sub_Orphan: its owner goneUid0000000000000000000E5 is not in users.json',
    'Left out: project sub_Unpaid: was never paid',
    `Next: npm run admin -- import ${path} check`,
  ])
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  const { projects } = JSON.parse(await readFile(path, 'utf8')) as WrittenFile
  expect(projects![0]).toMatchObject({ planId: 'starter', stripeSubscriptionId: 'sub_Bridge' })
  await expect(fireact(folder, path)).rejects.toThrow('can’t be written (EEXIST).')
})

test('a folder without the exports, and plans that are no pairs, are refused in a sentence', async () => {
  await expect(fireact('nowhere', 'x')).rejects.toThrow(
    'nowhere/users.json can’t be read (ENOENT).',
  )
  await expect(fireact(folder, 'x', 'starter')).rejects.toThrow(
    '“starter” is not like starter=free.',
  )
})
