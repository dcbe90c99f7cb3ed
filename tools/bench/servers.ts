import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { spawnServer } from '../../scripts/run-server.mjs'
import type { Database } from './fill.ts'

export type Server = { port: number; pid: number; stop: () => Promise<unknown> }

/** A server with the database that it uses. */
export type Side = { server: Server; database: Database }

export const webhookSecret = 'whsec_of_the_whole_bench'

/** Starts the bundled server as `npm start` does. Its log goes to /dev/null. */
export async function startProduct(port: number, env: Record<string, string>) {
  return start('dist/server/main.js', port, {
    DATA_DIR: '/nowhere',
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    ...env,
  })
}

/** Starts a program of this folder. */
export async function startProgram(file: string, port: number, env: Record<string, string> = {}) {
  return start(join('tools', 'bench', file), port, env)
}

async function start(file: string, port: number, env: Record<string, string>): Promise<Server> {
  if (await isReady(port)) throw new Error(`Port ${port} is taken.`)
  const { NODE_ENV: _env, LOG_LEVEL: _level, ...own } = process.env
  const child = spawnServer([file], {
    env: { ...own, ...env, PORT: String(port) },
    output: 'ignore',
  })
  const ended = once(child, 'exit')
  while (!(await isReady(port))) {
    if (child.exitCode !== null) throw new Error(`${file} could not start`)
    await delay(5)
  }
  return {
    port,
    pid: child.pid!,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

function isReady(port: number) {
  return fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** User and system time of a process, in microseconds. Linux only. */
export function cpuOf(pid: number) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

/** The memory that a process uses, in MiB. Linux only. */
export function memoryOf(pid: number) {
  const kB = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kB) / 1024)
}
