import type { CardProblem } from '../api/errors.ts'
import { declines } from '../cards/test-cards.ts'
import type { Runner } from '../store/tx.ts'
import { readSettings, takeFailure } from './settings.ts'

/** The outcome that the control settings force on this charge, if any. */
export async function askedOutcome(
  runner: Runner,
  of: string,
): Promise<CardProblem | 'processing' | undefined> {
  const { fail, code, customer } = (await readSettings(runner)).charges
  if (!fail || (customer && customer !== of)) return undefined
  return (await takeFailure(runner, 'charges'))
    ? code === 'processing'
      ? code
      : declines[code]
    : undefined
}
