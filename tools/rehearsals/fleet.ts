import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { node, root } from '../../scripts/install.mjs'
import { aFreePort } from '../free-port.ts'
import { say, type Stage } from './stage.ts'

export type Server = Awaited<ReturnType<typeof openServer>>

type Given = {
  name: string
  /** The repository that its code is in. */
  code?: string
  env: Record<string, string>
}

/** Milliseconds that a server has to come up, or to stop. */
const patience = 30_000

/** A server of the fleet, which is not started yet. */
export async function openServer(stage: Stage, { name, code = root, env }: Given) {
  const port = await aFreePort()
  let child: ChildProcess | undefined
  let wanted = false
  const crashes: string[] = []
  let revived: Promise<void> | undefined
  const isRunning = () => child?.exitCode === null && child.signalCode === null
  stage.atEnd(() => kill())

  /** Starts it, with the code of another repository if one is named, and waits until it is ready. */
  async function start(from = code) {
    await revived
    wanted = true
    await launch(from)
  }

  async function launch(from: string) {
    const log = stage.openLog(name)
    const { PATH = '', HOME = '/' } = process.env
    const program = ['--min-semi-space-size=8', '--max-semi-space-size=8', 'dist/server/main.js']
    const own = { PATH, HOME, MALLOC_ARENA_MAX: '2', LOG_LEVEL: 'warn', PORT: String(port) }
    const next = spawn(node, program, {
      cwd: from,
      env: { ...own, ...env },
      // The channel closes if this process is killed. Then the server stops too.
      stdio: ['ignore', log, log, 'ipc'],
    })
    child = next
    await untilReady(next)
    next.once('exit', (code, signal) => void (revived = revive(from, signal ?? `code ${code}`)))
  }

  /** Does what a process manager does with a server that ends by itself. */
  async function revive(from: string, how: string) {
    if (!wanted) return
    crashes.push(`${name}, ${how}: ${lastWords()}`)
    say(`${name} has ended by itself (${how})`)
    while (wanted && !isRunning()) {
      await delay(1000)
      await launch(from).catch(() => undefined)
    }
  }

  async function untilReady(starting: ChildProcess) {
    const end = Date.now() + patience
    while ((await readiness(port)) !== 200) {
      if (starting.exitCode !== null || starting.signalCode !== null || Date.now() > end)
        throw new Error(`${name} does not come up: ${lastWords()}`)
      await delay(20)
    }
  }

  function lastWords() {
    const log = readFileSync(join(stage.folder, `${name}.log`), 'utf8').trim()
    return log.split('\n').slice(-5).join(' ').slice(-500)
  }

  async function end(signal: NodeJS.Signals) {
    wanted = false
    if (!isRunning()) return
    child!.kill(signal)
    await once(child!, 'exit')
  }

  async function kill() {
    await end('SIGKILL')
  }

  return {
    name,
    port,
    start,
    kill,
    /** Asks it to stop, and waits. Throws if it goes on for too long. */
    async stop() {
      const late = delay(patience, 'late', { ref: false })
      if ((await Promise.race([end('SIGTERM'), late])) !== 'late') return
      await kill()
      throw new Error(`${name} does not stop`)
    },
    /** What it said when it ended without being asked to. */
    crashes,
  }
}

/** The status that /readyz answers with, or 0 if there is no answer within three seconds. */
export function readiness(port: number) {
  const signal = AbortSignal.timeout(3000)
  return fetch(`http://127.0.0.1:${port}/readyz`, { signal }).then(
    async (answer) => {
      await answer.text()
      return answer.status
    },
    () => 0,
  )
}
