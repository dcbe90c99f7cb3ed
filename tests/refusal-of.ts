import type { Reason } from '#contract/refusals.ts'
import { expect } from 'vitest'
import { Refusal } from '../server/platform/refusal.ts'

/** What is refused below the calls; any other outcome fails the test. */
export async function refusalOf(outcome: Promise<unknown>): Promise<Refusal> {
  const error = await outcome.then(
    () => new Error('nothing was refused'),
    (error: unknown) => error,
  )
  if (error instanceof Refusal) return error
  throw error
}

export async function reasonOf(outcome: Promise<unknown>) {
  return (await refusalOf(outcome)).reason
}

export async function expectRefused(outcome: Promise<unknown>, reason: Reason) {
  expect(await reasonOf(outcome)).toBe(reason)
}
