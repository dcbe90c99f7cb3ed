import { createHmac } from 'node:crypto'
import { draftDelivered } from './hold-draft.ts'
import type { Invoice } from '../objects/wire.ts'
import { loggingFirstFailure } from '../store/first-failure.ts'
import { inTransaction, noRequest, type World } from '../store/tx.ts'
import { readSettings } from '../control/settings.ts'
import { claim, claimOne, delivered, type Parcel } from './outbox.ts'

export type Deliver = (body: string, headers: Record<string, string>) => Promise<number>

export type Courier = ReturnType<typeof openCourier>

/** Delivers events as webhooks: each at least once, several at a time, in any order. */
export function openCourier(world: World, secret: string, deliver: Deliver) {
  const { pool, log } = world
  const logging = loggingFirstFailure(log, 'sandbox: could not look for webhooks to deliver')
  let wanted = false
  let closed = false
  let round: Promise<void> | undefined
  let last: Promise<unknown> = Promise.resolve()

  /** Starts to deliver events that are due, and returns at once. */
  function wake() {
    wanted = true
    if (!closed) round ??= rounds().finally(() => (round = undefined))
  }

  async function rounds() {
    while (wanted && !closed) {
      wanted = false
      await logging(carryDue)
    }
  }

  async function carryDue() {
    while (!closed) {
      const { mode, copies } = (await readSettings(pool)).webhooks
      const parcels = mode === 'deliver' ? await claim(pool) : []
      if (!parcels.length) return
      await Promise.all(parcels.map((parcel) => carry(parcel, copies)))
    }
  }

  async function carryEach(events: string[]) {
    const { copies } = (await readSettings(pool)).webhooks
    for (const event of events) {
      const parcel = closed ? undefined : await claimOne(pool, event)
      if (parcel) await carry(parcel, copies)
    }
  }

  async function carry(parcel: Parcel, copies: number) {
    const { event, isLast } = parcel
    try {
      const isDelivered = await post(parcel, copies)
      if (isDelivered) await delivered(pool, parcel)
      if (event.type === 'invoice.created' && (isDelivered || isLast))
        await draftWebhookEnded(parcel, isDelivered)
    } catch (error) {
      log.error(
        { event: event.id, err: error },
        'sandbox: could not record the outcome of a webhook',
      )
    }
  }

  async function post({ event, body, isLast }: Parcel, copies: number): Promise<boolean> {
    const next = isLast ? 'given up' : 'will be tried again'
    try {
      let status = 0
      for (let copy = 0; copy < copies; copy++) status = await deliver(body, signed(body, secret))
      if (status >= 200 && status < 300) return true
      log.info({ event: event.id, status }, `sandbox: webhook refused, ${next}`)
    } catch (error) {
      log.info({ event: event.id, err: error }, `sandbox: webhook not delivered, ${next}`)
    }
    return false
  }

  function draftWebhookEnded({ event, at }: Parcel, isDelivered: boolean) {
    const { id } = event.data.object as Invoice
    return inTransaction(world, noRequest, (tx) => draftDelivered(tx, id, isDelivered), at)
  }

  return {
    wake,
    /** Resolves when each event that is due has been attempted. Held events are not due. */
    async attemptAll() {
      wake()
      await round
    },
    /** Attempts these events one after another, even those that are held. */
    carryNow(events: string[]) {
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

/** Stripe's signature of a webhook, with the real time: receivers refuse one that isn't recent. */
function signed(body: string, secret: string): Record<string, string> {
  const t = Math.floor(Date.now() / 1000)
  const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')
  return {
    'content-type': 'application/json; charset=utf-8',
    'stripe-signature': `t=${t},v1=${v1}`,
    'user-agent': 'Stripe/1.0 (sandbox)',
  }
}
