import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { tokenOf } from './data.ts'
import { cpuOf, type Server } from './servers.ts'

export type Ask = { path: string; body: string; token?: string; headers?: string }
/** A server, and what it is asked. */
export type Target = {
  server: Server
  next: () => Ask
  /** Runs after each answer. */
  answered?: (ask: Ask) => void
}
type Sample = { times: number[]; seconds: number; cpu: number }
export type Figures = {
  /** Answers per second. */
  rate: number
  /** Milliseconds. */
  p50: number
  p95: number
  p99: number
  /** What the server's process used for each answer, in microseconds. */
  cpu: number
}
type Options = { connections?: number; seconds?: number; warmUp?: number }

export function call(name: string, user: string | number | undefined, data: object): Ask {
  const signedIn = user === undefined ? {} : { token: tokenOf(user) }
  return { path: `/api/${name}`, body: JSON.stringify({ data }), ...signedIn }
}

/** Keeps all connections busy, after a warm-up. An answer other than 200 throws. */
export async function load(target: Target, options: Options = {}) {
  return figuresOf([await sample(target, options)])
}

/** Like `load`, of several targets in two turns each, so that what disturbs the machine meets them all. */
export async function loadInTurns<Name extends string>(
  targets: Record<Name, Target & { before?: () => Promise<void>; after?: () => Promise<void> }>,
) {
  const names = Object.keys(targets) as Name[]
  const samples = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    Name,
    Sample[]
  >
  for (let round = 0; round < 2; round++)
    for (const name of names) {
      await targets[name].before?.()
      samples[name].push(await sample(targets[name]))
      await targets[name].after?.()
    }
  return Object.fromEntries(names.map((name) => [name, figuresOf(samples[name])])) as Record<
    Name,
    Figures
  >
}

/**
 * Asks the targets one request at a time, in turns, so that what disturbs the machine meets them
 * all. Returns the p99 of each, in milliseconds.
 */
export async function askInTurns<Name extends string>(
  targets: Record<Name, Target>,
  { warmUp, asks }: { warmUp: number; asks: number },
) {
  const sides = Object.entries<Target>(targets).map(([name, { server, next }]) => {
    return { name, next, line: openLine(server.port), times: [] as number[] }
  })
  for (let turn = 0; turn < warmUp + asks; turn++) {
    for (const { next, line, times } of sides) {
      const started = performance.now()
      await succeed(line, next())
      if (turn >= warmUp) times.push(performance.now() - started)
    }
    sides.reverse()
  }
  for (const { line } of sides) line.close()
  return Object.fromEntries(
    sides.map(({ name, times }) => [name, quantileOf(times, 0.99)]),
  ) as Record<Name, number>
}

async function sample(
  target: Target,
  { connections = 16, seconds = 3, warmUp = 1 }: Options = {},
): Promise<Sample> {
  const lines = Array.from({ length: connections }, () => openLine(target.server.port))
  await askFor(warmUp, target, lines)
  const [cpu, started] = [cpuOf(target.server.pid), performance.now()]
  const times = await askFor(seconds, target, lines)
  const taken = (performance.now() - started) / 1000
  for (const line of lines) line.close()
  return { times, seconds: taken, cpu: cpuOf(target.server.pid) - cpu }
}

async function askFor(seconds: number, { next, answered }: Target, lines: Line[]) {
  const times: number[] = []
  const end = performance.now() + seconds * 1000
  const askOn = async (line: Line) => {
    while (performance.now() < end) {
      const ask = next()
      const started = performance.now()
      await succeed(line, ask)
      times.push(performance.now() - started)
      answered?.(ask)
    }
  }
  await Promise.all(lines.map(askOn))
  return times
}

/** Throws on an answer other than 200. */
export async function succeed(line: Line, ask: Ask) {
  const { status, text } = await line.ask(ask)
  if (status !== 200) throw new Error(`${ask.path} answered ${status}: ${text.slice(-300)}`)
}

type Outcome = { status: number; milliseconds: number }

/** `connections` are open before, as those of a proxy are. More are opened when none is free. */
type Arrivals = { perSecond: number; seconds: number; connections?: number }

/** Sends requests at a steady rate, however long their answers take. */
export async function arrive(
  { server, next, answered }: Target,
  { perSecond, seconds, connections = 0 }: Arrivals,
) {
  const outcomes: Outcome[] = []
  const idle = Array.from({ length: connections }, () => openLine(server.port))
  // The server accepts a connection only when it has answered what came before it.
  await Promise.all(idle.map(async (line) => line.ask({ path: '/api/noCall', body: '' })))
  const lines = new Set(idle)
  const asking: Promise<void>[] = []
  const askOne = async () => {
    let line = idle.pop()
    // The server closes connections that nobody uses.
    while (line && !line.isOpen()) line = idle.pop()
    line ??= openLine(server.port)
    lines.add(line)
    const ask = next()
    const started = performance.now()
    const { status } = await line.ask(ask).catch(() => ({ status: 0 }))
    outcomes.push({ status, milliseconds: performance.now() - started })
    if (status === 200) answered?.(ask)
    if (line.isOpen()) idle.push(line)
  }
  const started = performance.now()
  for (let sent = 0; sent < perSecond * seconds; await delay(2))
    for (const due = ((performance.now() - started) * perSecond) / 1000; sent < due; sent++)
      asking.push(askOne())
  await Promise.all(asking)
  for (const line of lines) line.close()
  return outcomes
}

/** How long the calls took that were answered, shortest first. */
export function timesOf(outcomes: Outcome[]) {
  return outcomes
    .filter(({ status }) => status === 200)
    .map(({ milliseconds }) => milliseconds)
    .sort((a, b) => a - b)
}

function figuresOf(samples: Sample[]): Figures {
  const times = samples.flatMap(({ times }) => times).sort((a, b) => a - b)
  const sum = (of: (sample: Sample) => number) =>
    samples.reduce((total, sample) => total + of(sample), 0)
  return {
    rate: times.length / sum(({ seconds }) => seconds),
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    p99: quantile(times, 0.99),
    cpu: sum(({ cpu }) => cpu) / times.length,
  }
}

/** Of sorted numbers. */
export function quantile(sorted: number[], share: number) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}

export function median(numbers: number[]) {
  return quantileOf(numbers, 0.5)
}

function quantileOf(numbers: number[], share: number) {
  return quantile(
    numbers.toSorted((a, b) => a - b),
    share,
  )
}

type Answer = { status: number; text: string }
export type Line = ReturnType<typeof openLine>

/** A connection that asks one thing at a time, for a tenth of what node:http uses for it. */
export function openLine(port: number) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let waiting: { answer: (answer: Answer) => void; fail: (error: Error) => void } | undefined
  let text = ''
  let ending = ''
  let head: ReturnType<typeof headOf>
  socket.setEncoding('latin1')
  socket.on('data', (data) => {
    const chunk = data.toString()
    text += chunk
    head ??= headOf(text)
    if (!head) return
    // A long text is read only once it is whole: each reading copies all its parts into one.
    ending = (ending + chunk).slice(-lastChunk.length)
    if (head.whole === undefined ? ending !== lastChunk : text.length < head.whole) return
    const status = Number(text.slice(9, 12))
    waiting?.answer({ status, text })
    waiting = undefined
    head = undefined
    text = ''
    ending = ''
  })
  socket.on('error', () => undefined)
  socket.on('close', () => waiting?.fail(new Error(`port ${port} closed the connection`)))
  return {
    /** False once the server has closed the connection. */
    isOpen: () => socket.readyState === 'open' || socket.readyState === 'opening',
    close: () => socket.destroy(),
    ask({ path, body, token, headers = '' }: Ask) {
      const bearer = token === undefined ? '' : `authorization: Bearer ${token}\r\n`
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${bearer}${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      )
      return new Promise<Answer>((answer, fail) => {
        waiting = { answer, fail }
        if (socket.destroyed) fail(new Error(`port ${port} has closed the connection`))
      })
    },
  }
}

const lastChunk = '\r\n0\r\n\r\n'

/** Once it is there, how many characters the answer has. Undefined if it comes in chunks. */
function headOf(text: string): { whole: number | undefined } | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end + 2))?.[1]
  return { whole: length === undefined ? undefined : end + 4 + +length }
}
