import { engineLimits } from '#config/limits.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { isFailure, limitReached, type Try } from '../core/rate-limits.ts'
import type { Services } from '../core/services.ts'
import { Refusal } from '../platform/refusal.ts'

/**
 * Judges strangers' guesses at one account one after the other, over all servers, and only so many
 * wrong ones: each network has its own limit, so there would be as many guesses as networks. Those
 * who wait hold no database connection.
 */
export async function judgeInTurn<Answer>(
  account: string,
  judge: () => Promise<Answer>,
  services: Services,
) {
  const { rateLimits, serverId } = services
  const until = performance.now() + engineLimits.guessing.patience
  const turn: Try = ['guessInProgress', account]
  const line = `${serverId} ${account}`
  await joinLine(line)
  try {
    await takeTurn(turn, until, services)
    try {
      return await rateLimits.attempt(
        { shared: [['failedSignInOfStrangers', account]] },
        isFailure,
        judge,
      )
    } finally {
      await rateLimits.reset(turn)
    }
  } finally {
    leaveLine(line)
  }
}

/** The guesses that wait for another one at the same account on the same server. */
const lines = new Map<string, (() => void)[]>()

async function joinLine(name: string) {
  const line = lines.get(name)
  if (!line) return void lines.set(name, [])
  if (line.length >= engineLimits.guessing.waiting) throw tooManyAtOnce()
  await new Promise<void>((resolve) => line.push(resolve))
}

function leaveLine(name: string) {
  const next = lines.get(name)!.shift()
  if (next) next()
  else lines.delete(name)
}

async function takeTurn(turn: Try, until: number, { rateLimits }: Services) {
  // Another server has the turn. One that was killed has it for a limited time.
  while (await limitReached(rateLimits.consume(turn))) {
    if (performance.now() > until) throw tooManyAtOnce()
    await delay(engineLimits.guessing.look)
  }
}

function tooManyAtOnce() {
  const retryAfter = engineLimits.guessing.retryAfter / 1000
  return new Refusal('auth/too-many-requests', { retryAfter }, 'guessInProgress')
}
