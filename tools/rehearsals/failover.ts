import { setTimeout as delay } from 'node:timers/promises'
import { detach, openPair, promote } from './cluster.ts'
import { openPgBouncer } from './pgbouncer.ts'
import { openProxy } from './proxy.ts'
import { openSite } from './site.ts'
import { say, type Stage } from './stage.ts'

/** Milliseconds of each phase. */
const lasting = { quiet: 10_000, lag: 2000, afterFailover: 25_000, afterKill: 12_000 }

type Options = {
  direct: boolean
  /** The standby lacks the last changes, so the rehearsal must fail. */
  lossy: boolean
}

/**
 * The primary dies and the standby takes over. Later all servers are restarted in turn, and a web
 * server and the worker are killed.
 */
export async function failover(stage: Stage, { direct, lossy }: Options) {
  const { primary, standby } = await openPair(stage, { lossy })
  let present = primary
  const proxy = await openProxy(stage, primary.port)
  const pools = direct
    ? [proxy.port]
    : [
        (await openPgBouncer(stage, 'pgbouncer1', proxy.port)).port,
        (await openPgBouncer(stage, 'pgbouncer2', proxy.port)).port,
      ]
  const { fleet, journal, finish } = await openSite(stage, {
    roles: { web1: 'web', web2: 'web', web3: 'web', worker: 'worker' },
    pools,
    direct: proxy.port,
    database: () => present.port,
  })

  const begin = (phase: string) => {
    journal.begin(phase)
    say(phase)
  }
  begin('quiet')
  await delay(lasting.quiet)

  if (lossy) {
    await detach(standby)
    await delay(lasting.lag)
  }
  begin('failover')
  const died = Date.now()
  primary.signalAll('SIGKILL')
  await promote(standby)
  present = standby
  proxy.lead(standby.port)
  const led = Date.now()
  say(`the standby is the primary ${led - died} ms after the kill`)
  await delay(lasting.afterFailover)
  const { ms: gap } = journal.longestGap(died - 1000, Date.now())

  begin('rolling restart')
  for (const server of Object.values(fleet)) {
    await server.stop()
    await server.start()
  }
  for (const name of ['web1', 'worker']) {
    begin(`${name} killed`)
    await fleet[name]!.kill()
    await delay(lasting.afterKill)
    begin(`${name} back`)
    await fleet[name]!.start()
  }
  begin('quiet again')
  await delay(lasting.quiet)

  const around = {
    what: 'time without an acknowledged write around the failover',
    had: gap,
    unit: 'ms',
  }
  // A mail that the dying primary had no time to note as sent may be sent again.
  return finish(() => [around], { from: died - 1000, to: led + 1000 })
}
