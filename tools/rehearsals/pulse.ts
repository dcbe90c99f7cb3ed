import { setTimeout as delay } from 'node:timers/promises'
import type { Caller, Calls } from './calls.ts'

/** Milliseconds between two writes. */
const rhythm = 250
const people = 4

/**
 * Writes at a steady rhythm, however long the answers take, and repeats nothing: so the journal
 * shows when writes work.
 */
export async function runPulse({ ask, attempt, isOver }: Calls) {
  const callers: Caller[] = []
  for (let index = 1; index <= people; index++) {
    const caller = { address: `10.0.0.${index}` }
    const email = `pulse${index}@example.com`
    const { result } = await ask(
      'signUp',
      { fullName: 'Pulse', email, password: 'a good secret' },
      caller,
    )
    callers.push({ ...caller, token: result!.token })
  }
  const asking: Promise<unknown>[] = []
  for (let beat = 0; !isOver(); beat++) {
    const data = { displayName: `Pulse ${beat}` }
    asking.push(attempt({ name: 'updateProfile', data, caller: callers[beat % people]! }))
    await delay(rhythm)
  }
  await Promise.all(asking)
}
