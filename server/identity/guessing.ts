import { limits, rateLimits } from '#config/limits.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { findKnownDevice } from './devices.ts'
import type { Services, Visit } from '../core/services.ts'
import { isRefusal, Refusal } from '../platform/refusal.ts'
import type { User } from '../store/users.ts'

type Guess = { email: string; visit: Visit; judge: () => Promise<User> }

/**
 * Known devices have limits of their own, so that strangers can't lock the owner out. Limits count
 * by the typed address, so that they don't show which ones have an account.
 */
export async function guardGuess(guess: Guess, services: Services) {
  const { email, visit } = guess
  const device = await findDevice(email, visit, services)
  try {
    const user = await (device === undefined
      ? judgeStranger(guess, services)
      : judgeOnDevice(device, guess, services))
    // A thief's sign-ins then lock out neither a known device nor an owner with a new password.
    await services.rateLimits.consume(
      'signInByAccount',
      `${user.id} ${user.credentialsVersion} ${device ?? 'strangers'}`,
    )
    return user
  } catch (error) {
    if (isRefusal(error, 'auth/invalid-credential')) await reportFailure(email, visit, services)
    throw error
  }
}

/** Resets the counts of wrong passwords on this network and device, for the proven owner. */
export async function forgetGuesses(email: string, visit: Visit, services: Services) {
  const { rateLimits } = services
  const account = accountOf(email, services)
  const device = await findDevice(email, visit, services)
  await rateLimits.reset('failedSignInByAccountAndNetwork', `${account} ${visit.network}`)
  if (device !== undefined) await rateLimits.reset('failedSignInByDevice', `${account} ${device}`)
}

/** The id of the visitor's device if the account with this address has signed in on it before. */
export async function findDevice(email: string, visit: Visit, services: Services) {
  if (visit.device === undefined) return undefined
  const owner = await services.store.users.findByEmail(email)
  return findKnownDevice(owner ?? { id: '', credentialsVersion: 0 }, visit, services)
}

/** The key under which rate limits count an address: a hash, so that they hold no addresses. */
export function accountOf(email: string, { keyedHash }: Services) {
  return keyedHash('account', email)
}

async function judgeOnDevice(device: string, { email, judge }: Guess, services: Services) {
  const { rateLimits } = services
  const key = `${accountOf(email, services)} ${device}`
  const user = await rateLimits.limitFailures('failedSignInByDevice', key, judge)
  await rateLimits.reset('failedSignInByDevice', key)
  return user
}

async function judgeStranger({ email, visit, judge }: Guess, services: Services) {
  const { rateLimits } = services
  const account = accountOf(email, services)
  const key = `${account} ${visit.network}`
  const user = await rateLimits.limitFailures('failedSignInByNetwork', visit.network, () =>
    rateLimits.limitFailures('failedSignInByAccountAndNetwork', key, async () => {
      await slowDown(await rateLimits.increment('failedSignInOfStrangers', account))
      return judge()
    }),
  )
  await Promise.all([
    rateLimits.reset('failedSignInByAccountAndNetwork', key),
    rateLimits.giveBack('failedSignInOfStrangers', account),
  ])
  return user
}

let waiting = 0

/** Right and wrong passwords wait equally long, and hold no database connection meanwhile. */
async function slowDown(guesses: number) {
  const { step, most, waitingAtOnce } = limits.guessing
  const time = Math.min((guesses - rateLimits.failedSignInOfStrangers.tries) * step, most)
  if (time <= 0) return
  if (waiting >= waitingAtOnce) throw new Refusal('unavailable', { retryAfter: most / 1000 })
  waiting++
  await delay(time)
  waiting--
}

/** Leaves the record to a job, because its time would reveal which addresses have an account. */
async function reportFailure(email: string, visit: Visit, services: Services) {
  const { rateLimits, jobs } = services
  const account = accountOf(email, services)
  const { network, userAgent, address } = visit
  const isNew = await rateLimits.tryConsume(
    'failureNotedByAccountAndNetwork',
    `${account} ${network}`,
  )
  if (isNew && (await rateLimits.tryConsume('failureNotedByAccount', account)))
    await jobs.add('recordFailedSignIn', { email, userAgent, address })
}
