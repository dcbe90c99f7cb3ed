import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'

export type Target = {
  port: number
  path: string
  headers?: (body: string) => Record<string, string>
  body: () => string
}
/** Times in milliseconds; `cpu` is what the server's process used per request, in microseconds. */
export type Figures = { rate: number; p50: number; p95: number; p99: number; cpu: number }

const agent = new Agent({ keepAlive: true, maxSockets: 256 })

/** Sends requests on all connections, after a warm-up. An answer other than 200 throws. */
export async function load(
  target: Target,
  { pid, connections = 16, seconds = 4 }: { pid: number; connections?: number; seconds?: number },
) {
  await ask(target, connections, 1)
  const cpu = cpuOf(pid)
  const times = await ask(target, connections, seconds)
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!
  return {
    rate: times.length / seconds,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    cpu: (cpuOf(pid) - cpu) / times.length,
  } satisfies Figures
}

async function ask(target: Target, connections: number, seconds: number) {
  const times: number[] = []
  const end = performance.now() + seconds * 1000
  const one = async () => {
    while (performance.now() < end) {
      const started = performance.now()
      await post(target)
      times.push(performance.now() - started)
    }
  }
  await Promise.all(Array.from({ length: connections }, one))
  return times
}

function post({ port, path, headers, body: next }: Target) {
  const body = next()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const sent = request(
    {
      agent,
      host: '127.0.0.1',
      port,
      path,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers?.(body) },
    },
    (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${path} answered ${answer.statusCode}`))
      answer.resume().on('end', resolve)
    },
  )
  sent.on('error', reject).end(body)
  return promise
}

/** User and system time of a process, in microseconds. Linux only. */
function cpuOf(pid: number) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}
