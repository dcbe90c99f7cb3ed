import { spawn } from 'node:child_process'
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { aFolder, aStarted, root } from './a-server.ts'

const sources = join(import.meta.dirname, 'api-client')
/** In the project, so that what is in there finds its packages. */
const folder = join(root, '.cache', 'api-client')
const file = join(folder, 'openapi.json')

test('/openapi.json holds by Redocly’s rules, and a client made from it does the main job', async () => {
  const { url } = await aStarted({ env: { DATA_DIR: await aFolder() } })
  const answer = await fetch(`${url}/openapi.json`)
  expect(answer.headers.get('content-type')).toBe('application/json')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await writeFile(file, await answer.text())

  const linted = await run(['node_modules/.bin/redocly', 'lint', file])
  expect(linted).toMatchObject({ code: 0, output: expect.not.stringMatching(/warning|error/i) })

  const made = await run([join(sources, 'generate.ts'), file, join(folder, 'client')])
  expect(made).toEqual({ code: 0, output: '' })
  await copyFile(join(sources, 'main-job.txt'), join(folder, 'main-job.ts'))
  await copyFile(join(sources, 'tsconfig.txt'), join(folder, 'tsconfig.json'))
  expect(await run(['node_modules/.bin/tsc', '-p', folder])).toEqual({ code: 0, output: '' })

  const { code, output } = await run([join(folder, 'main-job.ts'), url])
  expect(code, output).toBe(0)
  expect(JSON.parse(output)).toEqual({
    listed: [true],
    name: 'Bridge',
    people: [
      ['ann@example.com', 'active'],
      ['ben@example.com', 'pending'],
    ],
    again: 'alreadyInvited',
    wrong: 'auth/invalid-credential',
  })
})

/** Runs a program of ours or of a package with Node. */
async function run(args: string[]) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const code = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await code, output: stdout + stderr }
}
