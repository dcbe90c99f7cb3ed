import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { gitIn, runIn } from './a-copy.ts'
import { aFolder, root } from './a-server.ts'

const nothing = { variables: {}, migrations: [], codemods: [], look: [] }
const ten = Array.from({ length: 10 }, (_, line) => `line ${line}`)

test('a later version is merged, and the product is told what is left to do', async () => {
  const { maker, adopter } = await aProduct()
  await adopter.writes({ 'own.txt': 'mine', 'client/public/a.png': 'mine', 'core.txt': edited(1) })
  await maker.releases('1.1.0', { variables: { NEW_KEY: 'make it by openssl.' } })
  const codemods = ['codemod.ts']
  await maker.releases(
    '1.10.0',
    { migrations: ['0003_boats'], codemods, look: ['Look at boats.'] },
    {
      'core.txt': edited(8),
      'client/public/a.png': 'theirs',
      'upgrades/1.10.0/codemod.ts': `import { writeFileSync } from 'node:fs'
        writeFileSync('own.txt', 'mine, changed')`,
    },
  )
  await maker.writes({ 'core.txt': edited(0) })

  const { status, said } = adopter.upgrades('1.10.0')
  expect(said).toMatch(
    /^Version 1\.10\.0 is merged\. Conflicts: 0\nformatted\nchecked\n\nVersion 1\.10\.0 is in, after 1\.0\.0\. What is left:\n- Set NEW_KEY on your servers: make it by openssl\.\n- Look at boats\.\n- Pictures .*: client\/public\/a\.png\n- The next start, or npm run migrate, applies 0003_boats\.\n/,
  )
  expect(status).toBe(0)
  expect(await adopter.reads('core.txt')).toBe(edited(1, 8))
  expect(await adopter.reads('client/public/a.png')).toBe('mine')
  expect(await adopter.reads('own.txt')).toBe('mine, changed')
  expect(adopter.git('log', '--first-parent', '--format=%s')).toMatch(
    /^Change what version 1\.10\.0 asks for\nTake version 1\.10\.0\n/,
  )
})

test('a merge that stops at conflicts names them, and goes on once they are mended', async () => {
  const { maker, adopter } = await aProduct()
  await adopter.writes({ 'core.txt': edited(1) })
  await maker.releases('1.1.0', { look: ['Look at boats.'] }, { 'core.txt': edited(1, 2) })
  const { status, said } = adopter.upgrades('1.1.0')
  expect(said).toMatch(/Conflicts: 1\n {2}core\.txt\n/)
  expect(status).toBe(1)
  expect(adopter.upgrades('1.1.0').said).toMatch(/^There are changes without a commit/)
  await adopter.writes({ 'core.txt': edited(1, 2) })
  expect(adopter.upgrades('1.1.0').said).toMatch(/after 1\.0\.0\. .*\n- Look at boats\.\n/)
  adopter.git('switch', '--quiet', '-c', 'feature', 'HEAD~0')
  await adopter.writes({ 'own.txt': 'mine' })
  adopter.git('switch', '--quiet', '-')
  adopter.git('merge', '--quiet', '--no-ff', 'feature')
  expect(adopter.upgrades('1.1.0').said).toMatch(/after 1\.0\.0/)
})

test('a product that began as a copy without the history can be upgraded', async () => {
  const { maker, adopter } = await aProduct()
  await adopter.forgetsHistory()
  await adopter.writes({ 'core.txt': edited(1) })
  await maker.releases('1.1.0', {}, { 'core.txt': edited(8) })
  expect(adopter.upgrades('1.1.0')).toMatchObject({ status: 0 })
  expect(await adopter.reads('core.txt')).toBe(edited(1, 8))
})

test('a fix of a former version is found by its tag, and the next version can be taken after it', async () => {
  const { maker, adopter } = await aProduct()
  await maker.releases('1.1.0', {}, { 'core.txt': edited(8) })
  maker.git('switch', '--quiet', '-c', 'fixes', 'HEAD~1')
  await maker.releases('1.0.1', {}, { 'core.txt': edited(1) })
  maker.git('tag', 'v1.0.1')
  maker.git('switch', '--quiet', '-')
  maker.git('merge', '--quiet', '--strategy', 'ours', 'v1.0.1', '--message', 'Have 1.0.1')
  await maker.releases('1.2.0')
  expect(adopter.upgrades('1.0.1')).toMatchObject({ status: 0 })
  expect(await adopter.reads('core.txt')).toBe(edited(1))
  expect(adopter.upgrades('1.2.0').said).toMatch(/\nVersion 1\.2\.0 is in, after 1\.0\.1\./)
  expect(await adopter.reads('core.txt')).toBe(edited(8))
})

test('what can’t be merged is refused in a sentence, and nothing changes', async () => {
  const { maker, adopter } = await aProduct()
  await maker.releases('1.1.0')
  const before = adopter.git('rev-parse', 'HEAD')
  for (const [args, why] of [
    [['1.1'], /^“1\.1” is no version\. /],
    [['1.2.0'], /has no version 1\.2\.0\. Its newest is 1\.1\.0\.$/],
    [['1.1.0', '--from', 'nowhere'], /\nThere is nothing to fetch from nowhere\. /],
  ] as const)
    expect(adopter.upgrades(...args)).toMatchObject({
      status: 1,
      said: expect.stringMatching(why),
    })
  expect(adopter.upgrades('1.0.0').said).toBe('Nothing to take: this is made of version 1.0.0.')
  await writeFile(join(adopter.folder, 'core.txt'), 'not committed')
  expect(adopter.upgrades('1.1.0').said).toMatch(/^There are changes without a commit/)
  expect(adopter.git('rev-parse', 'HEAD')).toBe(before)
})

test('what npm run check finds after the merge makes the upgrade fail', async () => {
  const { maker, adopter } = await aProduct()
  await maker.releases('1.1.0', {}, { 'package.json': aPackage('1.1.0', 'exit 1') })
  const { status, said } = adopter.upgrades('1.1.0')
  expect(said).toContain('\n- npm run check has found what stands above.\n')
  expect(status).toBe(1)
})

/** `core.txt` with some lines changed. */
function edited(...lines: number[]) {
  return ten.map((text, line) => (lines.includes(line) ? `${text}, changed` : text)).join('\n')
}

/** A product of a few files with this project's upgrade, and somebody who has made theirs of it. */
async function aProduct() {
  const maker = aRepository(await aFolder())
  for (const file of ['tools/upgrade.ts', 'scripts/commands.mjs', 'scripts/install.mjs'])
    await cp(join(root, file), join(maker.folder, file), { recursive: true })
  await cp(join(root, '.gitattributes'), join(maker.folder, '.gitattributes'))
  maker.git('init', '--quiet')
  await maker.releases('1.0.0', {}, { 'core.txt': edited(), 'client/public/a.png': 'first' })
  const adopter = aRepository(await aFolder())
  adopter.git('clone', '--quiet', '--origin', 'upstream', maker.folder, '.')
  return { maker, adopter }
}

function aRepository(folder: string) {
  const git = (...args: string[]) => gitIn(folder, ...args)

  async function writes(files: Record<string, string>) {
    for (const [file, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, file)), { recursive: true })
      await writeFile(join(folder, file), text)
    }
    git('add', '--all')
    git('commit', '--quiet', '--message', 'Change it')
  }

  return {
    folder,
    git,
    writes,
    reads: (file: string) => readFile(join(folder, file), 'utf8'),
    releases: (version: string, upgrade: object = {}, files: Record<string, string> = {}) =>
      writes({
        'package.json': aPackage(version),
        [`upgrades/${version}/upgrade.json`]: JSON.stringify({ ...nothing, ...upgrade }),
        ...files,
      }),
    async forgetsHistory() {
      git('switch', '--quiet', '--orphan', 'alone')
      git('checkout', 'upstream/HEAD', '--', '.')
      git('commit', '--quiet', '--message', 'Begin')
    },
    upgrades(...args: string[]) {
      const { status, output } = runIn(folder, 'tools/upgrade.ts', args)
      return { status, said: output.trim() }
    },
  }
}

function aPackage(version: string, check = 'echo checked') {
  const scripts = { check, format: 'echo formatted', upgrade: 'node tools/upgrade.ts' }
  return JSON.stringify({ version, type: 'module', scripts }, null, 2)
}
