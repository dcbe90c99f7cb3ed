import type { CardProblem } from '../rules/errors.ts'
import { declines } from '../cards/test-cards.ts'
import type { Runner } from '../store/tx.ts'
import { readSettings, consumeFailure } from './settings.ts'

/** The outcome that the control settings force on a charge of this customer, if any. */
export async function forcedOutcome(
  runner: Runner,
  of: string,
): Promise<CardProblem | 'processing' | undefined> {
  const { fail, code, customer } = (await readSettings(runner)).charges
  if (!fail || (customer && customer !== of)) return undefined
  return (await consumeFailure(runner, 'charges'))
    ? code === 'processing'
      ? code
      : declines[code]
    : undefined
}
