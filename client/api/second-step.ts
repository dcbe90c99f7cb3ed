import type { CallOutput } from '#contract/calls.ts'
import { CallError } from './post.ts'

type Ask = (refusal: CallError) => Promise<CallOutput<'finishSignIn'>>
let ask: Ask | undefined

/** Registers what asks a visitor for the second step. Returns a function that removes it. */
export function onSecondStepNeeded(listener: Ask) {
  ask = listener
  return () => void (ask = undefined)
}

export function needsSecondStep({ reason }: CallError) {
  return reason === 'auth/multi-factor-auth-required'
}

/** Finishes a sign-in that was refused for its second step. Throws any other refusal. */
export async function passSecondStep(refusal: unknown) {
  if (!ask || !(refusal instanceof CallError) || !needsSecondStep(refusal)) throw refusal
  return ask(refusal)
}
