import { billingLimits } from '#config/limits.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { Refusal } from '../platform/refusal.ts'
import type { Services } from '../core/services.ts'
import { after } from '../platform/time.ts'

export type Waiting = { wait?: number }

/**
 * Does what talks to the provider about one project while nobody else does, on any server. Refused with `billingBusy` when the turn
 * doesn't come in time. A server that dies in its turn keeps it until the turn's time is over.
 */
export async function inTurn<Answer>(
  subscriptionId: string,
  services: Services,
  work: () => Promise<Answer>,
  { wait = billingLimits.waitForTurn }: Waiting = {},
): Promise<Answer> {
  const { store, now } = services
  const giveUpAt = Date.now() + wait
  let until = after(now(), billingLimits.turn)
  let turn = await store.billing.takeTurn(subscriptionId, { now: now(), until })
  while (turn === 'busy') {
    if (Date.now() >= giveUpAt) throw new Refusal('billingBusy')
    await delay(50)
    until = after(now(), billingLimits.turn)
    turn = await store.billing.takeTurn(subscriptionId, { now: now(), until })
  }
  try {
    return await work()
  } finally {
    if (turn === 'taken') await store.billing.endTurn(subscriptionId, until)
  }
}
