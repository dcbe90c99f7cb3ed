import type { CardProblem } from '../api/errors.ts'
import { declines } from '../cards/test-cards.ts'
import type { Runner } from '../store/tx.ts'
import { readSettings, takeFailure } from './settings.ts'

/** The decline that was asked for of this charge, though its card is in order. */
export async function askedDecline(runner: Runner, of: string): Promise<CardProblem | undefined> {
  const { fail, code, customer } = (await readSettings(runner)).charges
  if (!fail || (customer && customer !== of)) return undefined
  return (await takeFailure(runner, 'charges')) ? declines[code] : undefined
}
