import { screenEntries, screenModule } from '#contract/screens.ts'
import { glob, readFile } from 'node:fs/promises'
import { basename, dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

const screenFiles = ['client/screens/**/*.screen.tsx', 'modules/*/screens/*.screen.tsx']
const root = join(import.meta.dirname, '..')

/** The server's rooms from top to bottom: each imports only from rooms on floors below its own. */
const server = [
  ['main.ts'],
  ['open-server.ts'],
  ['open-pools.ts', 'open-providers.ts'],
  ['http'],
  ['dev'],
  ['jobs'],
  ['profile', 'subscriptions'],
  ['billing'],
  ['invites'],
  ['identity', 'members'],
  ['tokens'],
  ['activity', 'live'],
  ['core'],
  ['mails', 'running'],
  ['providers'],
  ['store'],
  ['migrate', 'postgres'],
  ['sql'],
  ['observe'],
  ['platform'],
]

/** The rooms of the app in the same order. */
const client = [
  ['main.tsx'],
  ['routes.tsx'],
  ['signed-in-area.tsx'],
  ['front', 'screens'],
  ['guards'],
  ['layouts'],
  ['providers'],
  ['components'],
  ['api'],
  ['platform'],
]

/** The same of the sandbox. */
const sandbox = [
  ['tests'],
  ['alone'],
  ['sandbox.ts'],
  ['pages', 'resources'],
  ['clock'],
  ['billing'],
  ['events'],
  ['control'],
  ['api', 'cards'],
  ['store'],
  ['objects'],
  ['rules'],
]

test.each([
  ['server', server],
  ['client', client],
  ['sandbox', sandbox],
])('each room of the %s imports only from rooms on floors below its own', async (part, floors) => {
  const wrong: string[] = []
  const floorOf = (room: string) => floors.findIndex((rooms) => rooms.includes(room))
  for await (const file of glob(`${part}/**/*.{ts,tsx}`, { cwd: root })) {
    if (file.endsWith('.test.ts')) continue
    const room = file.split('/')[1]!
    if (floorOf(room) < 0) wrong.push(`${file} is in no room`)
    const text = await readFile(join(root, file), 'utf8')
    for (const [, path] of text.matchAll(/(?:from|import\(?) ?'(\.[^']+\.tsx?)'/g)) {
      const [other, imported] = normalize(join(dirname(file), path!)).split('/')
      if (other !== part || imported === room) continue
      if (floorOf(imported!) <= floorOf(room)) wrong.push(`${file} imports from ${imported}`)
    }
  }
  expect(wrong).toEqual([])
})

/** What a module may import of the core: contract and configuration by `#`, and these doors. */
const doors = [
  /^server\/(activity|core|platform|sql)\//,
  /^server\/store\/schema\.ts$/,
  /^client\/(api|components|layouts|platform)\//,
]
const ofTests = /\.(test|spec)\.ts$/

test('a module imports itself and the doors of the core, and the core imports no module', async () => {
  const wrong: string[] = []
  for await (const file of glob('{modules,client,contract,operate,server,tools}/**/*.{ts,tsx}', {
    cwd: root,
  })) {
    if (ofTests.test(file) || file === 'modules/index.ts') continue
    const text = await readFile(join(root, file), 'utf8')
    const [part, module] = file.split('/')
    for (const [, path] of text.matchAll(/(?:from|import\(?) ?['`]([.#][^'`]+)['`]/g)) {
      const imported = path!.startsWith('#')
        ? path!.slice(1)
        : normalize(join(dirname(file), path!))
      if (part !== 'modules') {
        const isOfModule = /^modules\/(?!index\.ts|\$\{)/.test(imported)
        if (isOfModule) wrong.push(`${file} imports ${imported}`)
        continue
      }
      const isOwn = imported.startsWith(`modules/${module}/`)
      const isShared = path!.startsWith('#') && !imported.startsWith('modules/')
      if (!isOwn && !isShared && !doors.some((door) => door.test(imported)))
        wrong.push(`${file} imports ${imported}`)
    }
  }
  expect(wrong).toEqual([])
})

test('contract/screens.ts lists exactly the screens that have a component', async () => {
  const files: string[] = []
  for await (const file of glob(screenFiles, { cwd: root })) {
    files.push(`/${basename(file)}`)
    const exported = (await readFile(join(root, file), 'utf8')).match(/^export .*/gm)
    expect(exported, `${file} has one export`).toHaveLength(1)
  }
  const named = screenEntries.map(([name]) => screenModule(name))
  expect(files.toSorted()).toEqual(named.toSorted())
})

test('what a Promise.all asks the database at once begins with its locks', async () => {
  const isLock = (asked: string) => /\b(lock|hold|renew)[A-Z]?\w*\(/.test(asked)
  let count = 0
  for await (const file of glob('{server,modules}/**/*.ts', { cwd: root })) {
    const text = await readFile(join(root, file), 'utf8')
    for (const [, indent, inside] of text.matchAll(/^( *).*Promise\.all\(\[\n([^]*?)\n\1\]\)/gm)) {
      const lines = inside!.split('\n').map((line) => line.slice(indent!.length + 2))
      const asked = lines.filter((line) => /^[\w!]/.test(line))
      const locks = asked.filter(isLock)
      count += locks.length
      // A question that is asked before a lock does not see what the lock has waited for.
      expect.soft(asked.slice(0, locks.length), file).toEqual(locks)
    }
  }
  expect(count).toBeGreaterThan(10)
})
