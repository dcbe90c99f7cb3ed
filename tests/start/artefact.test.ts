import { existsSync } from 'node:fs'
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import * as modules from '#modules/index.ts'
import { product as shipped } from '../../config/product.ts'
import type { ModuleContract } from '../../contract/modules.ts'
import { newKey } from '../../server/platform/secrets.ts'
import { aFolder, ann, aPostgres, aServer, aStarted, root, whyNot } from './a-server.ts'

const nothingFailed = 'No job waits, and none has failed.\n'

test('an artefact starts in production, runs commands, and installs and builds nothing', async () => {
  const { folder, run, start } = await anArtefact()
  const env = await production()
  const before = await list(folder)
  const stdout = expect.stringMatching(/^Applied 0017, /)
  expect(await (await run({ env, command: 'migrate' })).ended).toMatchObject({ code: 0, stdout })
  const server = await start({ env })
  expect(await (await fetch(server.url)).text()).toContain('<script type="module"')
  for (const path of ['/manifest.json', '/manifest.json.br', '//manifest%2Ejson'])
    expect((await fetch(server.url + path)).status).toBe(404)
  const shown = { code: 0, stdout: nothingFailed, stderr: '' }
  expect(await (await run({ env, command: 'admin', words: ['jobs'] })).ended).toEqual(shown)
  server.child.kill()
  expect((await server.ended).stdout).toMatch(/"msg":"\S.* is ready: /)
  const commit = existsSync(join(root, '.git')) ? String.raw` \(commit [0-9a-f]+(-dirty)?\)` : ''
  const words = [join(await aFolder(), 'a.sql.gz')]
  const { stdout: said } = await (await run({ env, command: 'backup', words })).ended
  expect(said).toMatch(new RegExp(String.raw`by version \d+\.\d+\.\d+${commit} on PostgreSQL`))
  expect(await list(folder)).toEqual(before)
})

test('a clone in which everything is built starts in production without the packages that build it', async () => {
  const { folder, run, start } = await anArtefact()
  const sources = await readdir(root)
  const isLeftOut = (name: string) =>
    ['.git', 'node_modules', '.data', '.env', '.cache'].includes(name)
  for (const name of sources.filter((name) => !isLeftOut(name)))
    await cp(join(root, name), join(folder, name), { recursive: true })
  const env = await production()
  const server = await start({ env })
  expect((await (await run({ env, command: 'admin', words: ['jobs'] })).ended).stdout).toBe(
    nothingFailed,
  )
  server.child.kill()
  expect((await server.ended).stderr).not.toMatch(/Installing|Building/)
  expect(await readdir(join(folder, 'node_modules'))).not.toContain('.installed')
})

test('an artefact mails in the language of its reader', async () => {
  const { start } = await anArtefact()
  const env = await production()
  const { call } = await start({ env })
  const mails = new pg.Client(env.DATABASE_URL)
  await mails.connect()
  onTestFinished(() => mails.end())
  await call('signUp', { fullName: 'Ann', ...ann, language: 'de' })
  const newest = async () =>
    (await mails.query<{ subject: string }>('select subject from kept_mails')).rows.at(-1)
  while (!(await newest())) await mails.query('select')
  expect((await newest())!.subject).toMatch(/E-Mail-Adresse/)
})

test('of a module that is off, an artefact has no call, no screen and no word', async () => {
  const off = Object.entries<ModuleContract>(modules).flatMap(([name, contract]) =>
    (shipped.modules as readonly string[]).includes(name) ? [] : contract,
  )
  const { folder, start } = await anArtefact()
  const server = await start({ env: await production() })
  for (const name of off.flatMap(({ calls }) => Object.keys(calls ?? {})))
    expect(await server.call(name as 'getUser', {}), name).toMatchObject({
      status: 404,
      error: { details: { reason: 'unknownCall' } },
    })
  const paths = off.flatMap(({ screens }) => Object.values(screens ?? {})).map(({ path }) => path)
  for (const path of paths)
    expect((await fetch(server.url + path.replace(':id', 'x'))).status, path).toBe(404)
  const assets = join(folder, 'dist/client/assets')
  const scripts = (await readdir(assets)).filter((name) => name.endsWith('.js'))
  const texts = await Promise.all(scripts.map((name) => readFile(join(assets, name), 'utf8')))
  const reasons = off.flatMap(({ refusals }) => Object.keys(refusals ?? {}))
  const words = [...paths.map((path) => path.replace('/subscription/:id', '')), ...reasons]
  expect(words.filter((word) => texts.some((text) => text.includes(word)))).toEqual([])
})

test('an artefact has no PostgreSQL, and says that it needs one', async () => {
  const { run } = await anArtefact()
  const DATA_DIR = join(await aFolder(), 'data')
  expect(await whyNot(await run({ env: { DATA_DIR } }))).toContain('DATABASE_URL')
})

test('start and commands read .env, variables of the environment override it, and start says so', async () => {
  const { folder, run, start } = await anArtefact()
  await writeFile(join(folder, '.env'), `# ours\nDATABASE_URL="${await aPostgres()}"\nPORT=1\n`)
  const server = await start({})
  expect((await (await run({ command: 'admin', words: ['jobs'] })).ended).stdout).toBe(
    nothingFailed,
  )
  server.child.kill()
  expect((await server.ended).stderr).toMatch(/"msg":"Settings .* are read from \.env\."/)
})

test('with NODE_ENV=test, which our own tests set, .env is not read', async () => {
  const { folder, run } = await anArtefact()
  await writeFile(join(folder, '.env'), 'DATABASE_URL=nonsense')
  const whyNotWith = async (NODE_ENV: string) =>
    whyNot(await run({ command: 'admin', words: ['jobs'], env: { NODE_ENV } }))
  expect(await whyNotWith('development')).toMatch(/^DATABASE_URL must be/)
  expect(await whyNotWith('test')).toMatch(/^There is no data in DATA_DIR /)
})

test('a folder with neither source nor bundles says so, and pack leaves a folder with files alone', async () => {
  const { folder, run } = await anArtefact()
  await rm(join(folder, 'dist'), { recursive: true })
  expect(await whyNot(await run({}))).toMatch(
    /^Here is neither the source nor dist\/server\/main\.js\./,
  )
  expect(await whyNot(await packInto(folder))).toMatch(/is not empty\.\n$/)
})

async function production() {
  const NODE_ENV = 'production'
  const DATABASE_URL = await aPostgres()
  return { NODE_ENV, ALLOW_SANDBOX: '1', DATABASE_URL, SECRET_KEY: newKey() }
}

type Asked = { env?: Record<string, string>; command?: string; words?: string[] }

/** The folder that `npm run pack` makes. */
async function anArtefact() {
  const folder = await aFolder()
  expect(await (await packInto(folder)).ended).toMatchObject({ code: 0, stderr: '' })
  const options = ({ env = {}, command, words = [] }: Asked) => ({
    cwd: folder,
    env,
    args: ['scripts/start.mjs', ...(command ? [command, ...words] : [])],
  })
  return {
    folder,
    run: (asked: Asked) => aServer(options(asked)),
    start: (asked: Asked) => aStarted(options(asked)),
  }
}

function packInto(folder: string) {
  return aServer({ args: ['scripts/pack.mjs', 'pack', folder] })
}

/** What is in a folder, without the compiler's cache. */
async function list(folder: string) {
  const files = await readdir(folder, { recursive: true })
  return files.filter((file) => !file.startsWith(join('node_modules', '.cache'))).toSorted()
}
