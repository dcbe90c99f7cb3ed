import type { Runner } from '../store/tx.ts'
import type { Log } from '../clock/run-due.ts'
import { readSettings } from '../control/settings.ts'
import { claim, claimOne, delivered, type Parcel } from './outbox.ts'
import { signed } from './sign.ts'

export type Deliver = (body: string, headers: Record<string, string>) => Promise<number>

export type Courier = {
  /** Something may be due. */
  wake: () => void
  /** Resolves when everything due by now has been attempted; what is held is not due. */
  attemptAll(): Promise<void>
  /** Attempts these, held or not, one after another. */
  carryNow(events: string[]): Promise<void>
  close(): Promise<void>
}

/** Carries events to the webhook: at least once, several at a time, in no promised order. */
export function openCourier(runner: Runner, secret: string, deliver: Deliver, log: Log): Courier {
  let wanted = false
  let closed = false
  let round: Promise<void> | undefined
  let last: Promise<unknown> = Promise.resolve()

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
    while (!closed) {
      const { mode, copies } = (await readSettings(runner)).webhooks
      const parcels = mode === 'deliver' ? await claim(runner) : []
      if (!parcels.length) return
      await Promise.all(parcels.map((parcel) => carry(parcel, copies)))
    }
  }

  async function carryEach(events: string[]) {
    const { copies } = (await readSettings(runner)).webhooks
    for (const event of events) {
      const parcel = closed ? undefined : await claimOne(runner, event)
      if (parcel) await carry(parcel, copies)
    }
  }

  async function carry({ event, body }: Parcel, copies: number) {
    try {
      let status = 0
      for (let copy = 0; copy < copies; copy++) status = await deliver(body, signed(body, secret))
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
    carryNow(events) {
      const carried = last.then(() => carryEach(events))
      last = carried.catch(() => undefined)
      return carried
    },
    async close() {
      closed = true
      await Promise.all([round, last])
    },
  }
}
