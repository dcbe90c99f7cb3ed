import { limits } from '#config/limits.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { isFailure, type Try } from '../core/rate-limits.ts'
import type { Services } from '../core/services.ts'
import { isRefusal, Refusal } from '../platform/refusal.ts'

/** What a stranger's guess counts as: one of the wrong ones, and the one in progress. */
export function triesOfStrangers(account: string): Record<'tried' | 'turn', Try[]> {
  return { tried: [['failedSignInOfStrangers', account]], turn: [['guessInProgress', account]] }
}

/**
 * Judges strangers' guesses at one account one after the other, over all servers, and only so many
 * wrong ones: each network has its own limit, so there would be as many guesses as networks. Those
 * who wait hold no database connection. If the guess is right, `judge` gives back `tried` and resets
 * `turn`, together with what else it settles.
 */
export async function judgeInTurn<Answer>(
  account: string,
  judge: () => Promise<Answer>,
  services: Services,
) {
  const until = performance.now() + limits.guessing.patience
  const line = `${services.serverId} ${account}`
  await joinLine(line)
  try {
    await takeTurn(account, until, services)
    return await judge().catch(async (error: unknown) => {
      await endWrong(error, account, services)
      throw error
    })
  } finally {
    leaveLine(line)
  }
}

/** The guesses that wait for another one at the same account on the same server. */
const lines = new Map<string, (() => void)[]>()

async function joinLine(name: string) {
  const line = lines.get(name)
  if (!line) return void lines.set(name, [])
  if (line.length >= limits.guessing.waiting) throw tooManyAtOnce()
  await new Promise<void>((resolve) => line.push(resolve))
}

function leaveLine(name: string) {
  const next = lines.get(name)!.shift()
  if (next) next()
  else lines.delete(name)
}

/** The guess counts before it is judged, so that a server that is killed gives no further ones. */
async function takeTurn(account: string, until: number, { rateLimits }: Services) {
  const { tried, turn } = triesOfStrangers(account)
  try {
    await rateLimits.consumeAll(...tried, ...turn)
  } catch (error) {
    if (!isRefusal(error, 'auth/too-many-requests') || error.limit !== turn[0]![0]) throw error
    // Another server has the turn. One that was killed has it for a limited time.
    do {
      if (performance.now() > until) {
        await rateLimits.giveBack(...tried)
        throw tooManyAtOnce()
      }
      await delay(limits.guessing.look)
    } while (!(await rateLimits.tryConsume(...turn)))
  }
}

async function endWrong(error: unknown, account: string, { rateLimits }: Services) {
  const { tried, turn } = triesOfStrangers(account)
  if (isRefusal(error, 'auth/invalid-credential')) await rateLimits.prolong(...tried[0]!)
  if (!isFailure(error)) await rateLimits.giveBack(...tried)
  await rateLimits.reset(...turn)
}

function tooManyAtOnce() {
  const retryAfter = limits.guessing.retryAfter / 1000
  return new Refusal('auth/too-many-requests', { retryAfter }, 'guessInProgress')
}
