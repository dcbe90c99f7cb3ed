import { connect, type Socket } from 'node:net'
import { counts } from './fill.ts'
import { call, arrive, openLine, quantile, timesOf, type Ask } from './load.ts'
import { memoryOf, type Server } from './servers.ts'
import { note } from './table.ts'

const newPassword = 'a flood of secrets'

/** Starts a flood and, once it is under way, returns the function that ends it. */
type Flood = (port: number) => Promise<() => Promise<void>>

/** Compares `getUser` of another user and the server's memory before and during a flood. */
export async function compareFloods(server: Server) {
  const { port, pid } = server
  let signedUp = 0
  const floods: Record<string, Flood> = {
    '40 signUp at once': inWaves(() => {
      const email = `flood${signedUp++}@example.com`
      return call('signUp', undefined, { fullName: 'Flood', email, password: newPassword })
    }),
    '40 updatePassword of one account at once': inWaves((wave) =>
      call('updatePassword', `signer${wave % counts.signers}`, { newPassword }),
    ),
    ...ofOneAccount({
      exports: ['exportOwnActivity', {}],
      previews: ['previewSubscription', { planId: 'pro' }],
      lists: ['listActivity', { subscriptionId: 'flooded', pageSize: 100 }],
      'changes of settings': [
        'updateSubscriptionSettings',
        { subscriptionId: 'flooded', settings: { name: 'Flood' } },
      ],
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
  const next = () => call('getUser', 'lister0', {})
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
      enough: 40,
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

/** Floods of calls by one account, 40 at a time. */
function ofOneAccount(calls: Record<string, [name: string, data: object]>) {
  return Object.fromEntries(
    Object.entries(calls).map(([what, [name, data]]) => [
      `40 ${what} of one account at once`,
      inWaves(() => call(name, 'flooder0', data)),
    ]),
  )
}

/** Sends the next wave of 40 as soon as every request of the last one has ended somehow. */
function inWaves(next: (wave: number) => Ask): Flood {
  return async (port) => {
    let lines = Array.from({ length: 40 }, () => openLine(port))
    let ended = false
    const waves = (async () => {
      for (let wave = 0; !ended; wave++) {
        lines = lines.map((line) => (line.isOpen() ? line : openLine(port)))
        await Promise.allSettled(lines.map(async (line) => line.ask(next(wave))))
      }
      for (const line of lines) line.close()
    })()
    return async () => {
      ended = true
      await waves
    }
  }
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
