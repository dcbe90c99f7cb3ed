import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { product } from '../config/product.ts'
import { version } from '../../server/platform/version.ts'
import { aFolder, aServer, aStarted, root, signUp } from './a-server.ts'

test('every line that a server writes is JSON of one shape, and the first and the one that says it is ready name the version', async () => {
  const server = await aStarted({ env: { DATA_DIR: await aFolder(), LOG_LEVEL: 'info' } })
  await signUp(server)
  server.child.kill()
  const { stdout, stderr } = await server.ended
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  for (const line of lines)
    expect(line).toMatchObject({
      level: expect.any(Number),
      time: expect.any(Number),
      msg: expect.any(String),
    })
  expect(lines[0]).toMatchObject({ version, msg: `${product.name} starts` })
  const ready = lines.find(({ msg }) => msg.includes('is ready'))
  expect(ready).toMatchObject({ version, role: 'all', url: expect.stringMatching(/^http:/) })
  const stopping = lines.find(({ msg }) => msg === 'stopping')
  expect(stopping).toMatchObject({ reason: 'SIGTERM' })
  expect(stderr).toBe('')
})

test('a server that can not start says why in one JSON line on standard error', async () => {
  const { code, stdout, stderr } = await (await aServer({ env: { ROLE: 'neither' } })).ended
  expect([code, stdout]).toEqual([1, ''])
  expect(JSON.parse(stderr)).toMatchObject({
    level: 60,
    version,
    msg: 'ROLE must be all, web or worker. Correct it in the environment and start again.',
  })
})

test.runIf(spawnSync('script', ['--version']).status === 0)(
  'at a terminal, a server that can not start says why in plain words',
  () => {
    const command = `'${process.execPath}' .cache/test-server/main.js`
    const { stdout } = spawnSync('script', ['-qec', command, '/dev/null'], {
      cwd: root,
      env: { ...process.env, NODE_OPTIONS: '--conditions=tests-config', PORT: 'none' },
      encoding: 'utf8',
    })
    expect(stdout).toMatch(/^PORT must be a port number/)
  },
)
