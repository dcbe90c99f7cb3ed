import { setTimeout as delay } from 'node:timers/promises'

/** In milliseconds. */
export const day = 24 * 3_600_000

export function after(time: Date, milliseconds: number) {
  return new Date(time.getTime() + milliseconds)
}

/** Returns whole seconds since the epoch, as `EpochSeconds` in the contract. */
export function seconds(time: Date) {
  return Math.floor(time.getTime() / 1000)
}

/** Waits until `isBusy` resolves to false, at most this many milliseconds. */
export async function waitWhile(isBusy: () => Promise<boolean>, patience: number) {
  const end = performance.now() + patience
  while (performance.now() < end && (await isBusy())) await delay(10)
}

/** Waits at most a second. Returns `otherwise` if the answer fails or comes later. */
export function promptly<Answer>(answer: Promise<Answer>, otherwise: Answer): Promise<Answer> {
  return Promise.race([answer.catch(() => otherwise), delay(1000, otherwise, { ref: false })])
}
