import { billingLimits } from '#config/limits.ts'
import type { EpochSeconds } from '#contract/entities.ts'
import { timingSafeEqual } from 'node:crypto'
import { Refusal } from '../platform/refusal.ts'
import type { Services } from '../core/services.ts'

/** What amounts were shown for: to this person, for the change of this project from one plan to another. */
type Shown = { subscriptionId: string; from: string; to: string; userId: string }
type Tools = Pick<Services, 'keyedHash' | 'now'>

/** Stands for the moment that shown amounts were reckoned for. Nobody else can make one, so nobody chooses the moment. */
export function newQuote(of: Shown, at: EpochSeconds, { keyedHash, now }: Tools) {
  const until = Math.floor((now().getTime() + billingLimits.quoteLife) / 1000)
  return [at, until, seal(of, at, until, keyedHash)].join('.')
}

/** The moment again; refused where the amounts that were shown hold no more. */
export function readQuote(quote: string, of: Shown, { keyedHash, now }: Tools): EpochSeconds {
  const [at, until, sealed = ''] = quote.split('.')
  const right = Buffer.from(seal(of, Number(at), Number(until), keyedHash))
  const given = Buffer.from(sealed)
  const isOurs = given.length === right.length && timingSafeEqual(given, right)
  if (!isOurs || Number(until) * 1000 < now().getTime()) throw new Refusal('previewOutdated')
  return Number(at)
}

function seal(
  { subscriptionId, from, to, userId }: Shown,
  at: number,
  until: number,
  keyedHash: Services['keyedHash'],
) {
  return keyedHash('quote', JSON.stringify([subscriptionId, from, to, userId, at, until]))
}
