import { glob, readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** The rooms of the server from the top to the bottom: a room imports only from rooms on floors below its own. */
const floors = [
  ['commands'],
  ['main.ts'],
  ['http'],
  ['jobs', 'profile', 'subscriptions'],
  ['billing'],
  ['invites'],
  ['identity', 'members'],
  ['activity', 'live'],
  ['core'],
  ['mails', 'start'],
  ['providers'],
  ['store'],
  ['platform'],
]
const floorOf = (room: string) => floors.findIndex((rooms) => rooms.includes(room))

test('a room of the server imports only from rooms below it, and every room has a floor', async () => {
  const wrong: string[] = []
  for await (const file of glob('server/**/*.ts', { cwd: root })) {
    if (file.endsWith('.test.ts')) continue
    const room = file.split('/')[1]!
    if (floorOf(room) < 0) wrong.push(`${file} is in no room`)
    const text = await readFile(join(root, file), 'utf8')
    for (const [, path] of text.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)) {
      const [part, imported] = normalize(join(dirname(file), path!)).split('/')
      if (part !== 'server' || imported === room) continue
      if (floorOf(imported!) <= floorOf(room)) wrong.push(`${file} imports from ${imported}`)
    }
  }
  expect(wrong).toEqual([])
})
