import { limits, rateLimits } from '#config/limits.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { findKnownDevice } from './devices.ts'
import type { Visit } from '../core/handle.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Services } from '../core/services.ts'
import type { User } from '../store/users.ts'

type Guess = { email: string; visit: Visit; judge: () => Promise<User> }

/**
 * Has a password judged, unless too many were wrong. A device that has signed in to the account before counts by itself, so that strangers
 * can't keep its owner out. Nothing here depends on whether there is an account with the address: what counts is the address as typed.
 */
export async function guardGuess(guess: Guess, services: Services) {
  const { email, visit } = guess
  const device = await findDevice(email, visit, services)
  try {
    const user = await (device === undefined
      ? guessOfStranger(guess, services)
      : guessOnDevice(device, guess, services))
    // New credentials begin a new count: a thief's sign-ins don't lock out an owner who has set a new password, nor one on a known device.
    await services.rateLimits.consume(
      'signInByAccount',
      `${user.id} ${user.credentialsVersion} ${device ?? 'strangers'}`,
    )
    return user
  } catch (error) {
    if (error instanceof Refusal && error.reason === 'auth/invalid-credential')
      await noteFailure(email, visit, services)
    throw error
  }
}

/** After the owner has shown in another way who they are. */
export async function forgetGuesses(email: string, visit: Visit, services: Services) {
  const { rateLimits } = services
  const device = await findDevice(email, visit, services)
  await rateLimits.reset(
    'failedSignInByAccountAndNetwork',
    `${accountOf(email, services)} ${visit.network}`,
  )
  if (device !== undefined)
    await rateLimits.reset('failedSignInByDevice', `${accountOf(email, services)} ${device}`)
}

/** The id of the visitor's device, if the account that the address belongs to has signed in on it before. */
export async function findDevice(email: string, visit: Visit, services: Services) {
  if (visit.device === undefined) return undefined
  const owner = await services.store.users.findByEmail(email)
  return findKnownDevice(owner ?? { id: '', credentialsVersion: 0 }, visit, services)
}

/** What an account is counted by. There need be none with the address; and addresses are not to be read in counters. */
export function accountOf(email: string, { keyedHash }: Pick<Services, 'keyedHash'>) {
  return keyedHash('account', email)
}

async function guessOnDevice(device: string, { email, judge }: Guess, services: Services) {
  const { rateLimits } = services
  const key = `${accountOf(email, services)} ${device}`
  const user = await rateLimits.limitFailures('failedSignInByDevice', key, judge)
  await rateLimits.reset('failedSignInByDevice', key)
  return user
}

async function guessOfStranger({ email, visit, judge }: Guess, services: Services) {
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

/** Before the password is judged, so that the wait is the same for right and wrong ones and holds nothing but the request. */
async function slowDown(guesses: number) {
  const { step, most, waitingAtOnce } = limits.guessing
  const time = Math.min((guesses - rateLimits.failedSignInOfStrangers.tries) * step, most)
  if (time <= 0) return
  if (waiting >= waitingAtOnce) throw new Refusal('unavailable', { retryAfter: most / 1000 })
  waiting++
  await delay(time)
  waiting--
}

/** In the owner's activity. The work is a job's: how long it takes would tell whether there is an account. */
async function noteFailure(email: string, visit: Visit, services: Services) {
  const { rateLimits, jobs } = services
  const account = accountOf(email, services)
  if (
    !(await rateLimits.tryConsume('failureNotedByAccountAndNetwork', `${account} ${visit.network}`))
  )
    return
  if (!(await rateLimits.tryConsume('failureNotedByAccount', account))) return
  await jobs.add('recordFailedSignIn', {
    email,
    userAgent: visit.userAgent,
    address: visit.address,
  })
}
