import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { aFreePort } from '../../tools/free-port.ts'

export const root = join(import.meta.dirname, '..', '..')

type Options = { env?: Record<string, string>; args?: string[] }
export type Server = Awaited<ReturnType<typeof aServer>>

/** A server as a process of its own, in a group of its own as a terminal would make it. */
export async function aServer({ env = {}, args = ['.cache/test-server/main.js'] }: Options) {
  const port = env['PORT'] ?? String(await aFreePort())
  const { PATH = '', HOME = '/', TMPDIR = tmpdir() } = process.env
  const child = spawn(process.execPath, args, {
    cwd: root,
    detached: true,
    env: {
      PATH,
      HOME,
      TMPDIR,
      PORT: port,
      LOG_LEVEL: 'warn',
      NODE_OPTIONS: '--conditions=atrium-test',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name]!.setEncoding('utf8').on('data', (text: string) => (said[name] += text))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...said }))
  onTestFinished(() => endGroup(child, ended))

  const url = `http://127.0.0.1:${port}`
  async function call<Name extends CallName>(
    name: Name,
    data: CallInput<Name>,
    token?: string,
    idempotencyKey?: string,
  ) {
    const headers = {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    }
    const response = await fetch(`${url}/api/${name}`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ data }),
    })
    return (await response.json()) as { result?: CallOutput<Name>; error?: unknown }
  }

  /** Whether it came up, or ended before. */
  async function isUp() {
    while (child.exitCode === null && child.signalCode === null) {
      const answer = await fetch(`${url}/readyz`).catch(() => undefined)
      if (answer?.status === 200) return true
      await delay(20)
    }
    return false
  }

  return {
    child,
    pid: child.pid!,
    url,
    ended,
    call,
    log: () => said.stdout + said.stderr,
    /** What a terminal does on Ctrl-C. */
    pressCtrlC: () => process.kill(-child.pid!, 'SIGINT'),
    isUp,
    up: async () => {
      if (!(await isUp())) throw new Error(`It ended instead of coming up: ${(await ended).stderr}`)
    },
  }
}

async function endGroup(child: ChildProcess, ended: Promise<unknown>) {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
  await ended
}

/** A folder that goes with the test, with what is in it. Root's PostgreSQL runs as another user, who must get through. */
export async function aFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-start-'))
  await chmod(folder, 0o711)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** The process of the PostgreSQL on a data folder. */
export async function postgresOn(dataDir: string) {
  const [pid] = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
  return Number(pid)
}

/** Waits for a process that is not ours, which gives no other sign. How long the test may take is the limit. */
export async function untilGone(pid: number) {
  while (isAlive(pid)) await delay(20)
}

/** A process that has ended may be kept as a zombie by a parent that doesn't ask for it. */
function isAlive(pid: number) {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout !== '' && !stdout.startsWith('Z')
}

export async function timed(act: () => Promise<unknown>) {
  const started = performance.now()
  await act()
  return performance.now() - started
}
