import type { Reason } from '#contract/refusals.ts'
import { expect } from 'vitest'
import { Refusal } from '../server/platform/refusal.ts'
import { StartError } from '../server/platform/start-error.ts'
import { readEnv } from '../server/running/env.ts'

/** Returns the refusal that a function below the calls throws. Any other outcome fails the test. */
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

/** Returns the reason why no server starts with these environment variables. */
export function whyNotWith(environment: Record<string, string | undefined>) {
  try {
    readEnv(environment)
  } catch (error) {
    if (error instanceof StartError) return error.message
    throw error
  }
  return 'nothing was refused'
}
