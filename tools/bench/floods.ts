import type { CallInput, CallName } from '#contract/calls.ts'
import { connect, type Socket } from 'node:net'
import { askAt, callerOf } from '../seed/people.ts'
import { counts, tokenOf } from './fill.ts'
import { arrive, quantile, timesOf } from './load.ts'
import { memoryOf, type Server } from './servers.ts'
import { note } from './table.ts'

/** Starts a flood and, once it is under way, returns the function that ends it. */
type Flood = (port: number) => Promise<() => Promise<void>>

/** Compares `getUser` of another user and the server's memory before and during a flood. */
export async function compareFloods(server: Server) {
  const { port, pid } = server
  let [signedUp, changing] = [0, 0]
  const floods: Record<string, Flood> = {
    '40 signUp at once': inWaves(() => {
      const input = () => ({
        fullName: 'Flood',
        email: `flood${signedUp++}@example.com`,
        password: 'a flood of secrets',
      })
      return Array.from({ length: 40 }, () => call(port, 'signUp', input()))
    }),
    '40 updatePassword of one account at once': inWaves(() => {
      const token = tokenOf(`signer${changing++ % counts.signers}`)
      return Array.from({ length: 40 }, () =>
        call(port, 'updatePassword', { newPassword: 'a flood of secrets' }, token),
      )
    }),
    '100 held webhook bodies of 1 MB': holding(100, (socket) => {
      socket.write(
        'POST /webhooks/stripe HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n',
      )
      socket.write(Buffer.alloc(900_000, 'x'))
    }),
    '400 slow connections': holding(400, (socket) => {
      socket.write('POST /api/getUser HTTP/1.1\r\nhost: localhost\r\nx-slow: ')
      const drops = setInterval(() => socket.write('x'), 1000)
      socket.on('close', () => clearInterval(drops))
    }),
  }
  const next = () => ({ path: '/api/getUser', body: '{"data":{}}', token: tokenOf('lister0') })
  const ask = () => arrive({ server, next }, { perSecond: 50, seconds: 4 })
  for (const [name, flood] of Object.entries(floods)) {
    const before = await ask()
    const memory = memoryOf(pid)
    const end = await flood(port)
    const during = await ask()
    const flooded = memoryOf(pid)
    await end()
    note({
      name: `${name}: p95 of getUser, to quiet`,
      unit: 'ms',
      floor: quantile(timesOf(before), 0.95),
      ours: quantile(timesOf(during), 0.95),
      most: 5,
    })
    note({
      name: `${name}: getUser refused`,
      ours: during.filter(({ status }) => status !== 200).length,
      most: 0,
    })
    note({
      name: `${name}: memory, to before`,
      unit: 'MiB',
      floor: memory,
      ours: flooded,
      most: 1.5,
    })
  }
}

/** Sends the next wave as soon as every request of the last one is answered or refused. */
function inWaves(wave: () => Promise<unknown>[]): Flood {
  return async () => {
    let ended = false
    const waves = (async () => {
      while (!ended) await Promise.all(wave())
    })()
    return async () => {
      ended = true
      await waves
    }
  }
}

/** Makes a call. A refusal counts as an answer. */
function call<Name extends CallName>(
  port: number,
  name: Name,
  data: CallInput<Name>,
  token?: string,
) {
  return callerOf(askAt(`http://127.0.0.1:${port}`), token)(name, data).catch(() => undefined)
}

/** Holds connections open until the flood ends, and does not replace those the server closes. */
function holding(count: number, begin: (socket: Socket) => void): Flood {
  return async (port) => {
    const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1'))
    for (const socket of sockets)
      socket.on('error', () => undefined).on('connect', () => begin(socket))
    return async () => {
      for (const socket of sockets) socket.destroy()
    }
  }
}
