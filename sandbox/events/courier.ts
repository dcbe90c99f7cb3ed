import type { Runner } from '../store/tx.ts'
import type { Log } from '../clock/run-due.ts'
import { claim, delivered, type Parcel } from './outbox.ts'
import { signed } from './sign.ts'

export type Deliver = (body: string, headers: Record<string, string>) => Promise<number>

export type Courier = {
  /** Something may be due. */
  wake: () => void
  /** Resolves when everything due by now has been attempted. */
  attemptAll(): Promise<void>
  close(): Promise<void>
}

/** Carries events to the webhook: at least once, several at a time, in no promised order. */
export function openCourier(runner: Runner, secret: string, deliver: Deliver, log: Log): Courier {
  let wanted = false
  let closed = false
  let round: Promise<void> | undefined

  function wake() {
    wanted = true
    if (!closed) round ??= rounds().finally(() => (round = undefined))
  }

  async function rounds() {
    while (wanted && !closed) {
      wanted = false
      await carryDue().catch((error: unknown) => log.error({ err: error }, 'sandbox: could not look for webhooks to deliver'))
    }
  }

  async function carryDue() {
    for (let parcels = await claim(runner); parcels.length && !closed; parcels = await claim(runner)) await Promise.all(parcels.map(carry))
  }

  async function carry({ event, body }: Parcel) {
    try {
      const status = await deliver(body, signed(body, secret))
      if (status >= 200 && status < 300) await delivered(runner, event)
      else log.info({ event, status }, 'sandbox: webhook refused, will be tried again')
    } catch (error) {
      log.info({ event, err: error }, 'sandbox: webhook not delivered, will be tried again')
    }
  }

  return {
    wake,
    async attemptAll() {
      wake()
      await round
    },
    async close() {
      closed = true
      await round
    },
  }
}
