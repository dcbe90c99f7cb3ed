import { engineLimits } from '#config/limits.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { findKnownDevice } from './devices.ts'
import { isFailure, limitReached, type Try } from '../core/rate-limits.ts'
import type { Services, Visit } from '../core/services.ts'
import { networksOf } from '../platform/networks.ts'
import { isRefusal, Refusal } from '../platform/refusal.ts'
import type { User } from '../store/users.ts'

/** `owner` is the user with this address, if there is one. */
type Guess = { email: string; owner?: User | undefined; visit: Visit; judge: () => Promise<User> }

/**
 * Judges a guess within limits. If there are too many, a mailed link still is a way in. Known devices
 * have limits of their own, so that strangers can't lock the owner out. Limits count by the typed
 * address, so that they don't show which ones have an account.
 */
export async function guardGuess({ email, owner, visit, judge }: Guess, services: Services) {
  const { rateLimits } = services
  const account = accountOf(email, services)
  const device = findKnownDevice(owner ?? nobody, visit, services)
  const judgeIt = device === undefined ? () => judgeInTurn(account, judge, services) : judge
  try {
    const user = await rateLimits.attempt(triesOf(account, device, visit), isFailure, judgeIt)
    // A thief's sign-ins then lock out neither a known device nor an owner with a new password.
    const by = `${user.id} ${user.credentialsVersion} ${device ?? 'strangers'}`
    await rateLimits.consume(['signInByAccount', by])
    return user
  } catch (error) {
    if (isRefusal(error, 'auth/invalid-credential')) await reportFailure(email, visit, services)
    if (!isRefusal(error, 'auth/too-many-requests')) throw error
    throw new Refusal(error.reason, { ...error.details, way: 'resetPassword' }, error.limit)
  }
}

/** Resets the counts of wrong passwords on this network and device, for the proven owner. */
export async function forgetGuesses(user: User, visit: Visit, services: Services) {
  const account = accountOf(user.email, services)
  const devices = [undefined, findKnownDevice(user, visit, services)]
  const tries = devices.flatMap((device) => triesOf(account, device, visit).own)
  await services.rateLimits.reset(...tries)
}

/** The id of the visitor's device if the account with this address has signed in on it before. */
export async function findDevice(email: string, visit: Visit, services: Services) {
  if (visit.device === undefined) return undefined
  const owner = await services.store.users.findByEmail(email)
  return findKnownDevice(owner ?? nobody, visit, services)
}

/** The key under which rate limits count an address: a hash, so that they hold no addresses. */
export function accountOf(email: string, { keyedHash }: Services) {
  return keyedHash('account', email)
}

const nobody = { id: '', credentialsVersion: 0 }

const byWidth = [
  ['failedSignInByAccountAndNetwork', 'failedSignInByNetwork'],
  ['failedSignInByAccountAnd56', 'failedSignInBy56'],
  ['failedSignInByAccountAnd48', 'failedSignInBy48'],
] as const

/** What a guess counts as. A right password resets `own`. */
function triesOf(account: string, device: string | undefined, { address }: Visit) {
  const tries: Record<'own' | 'shared', Try[]> = { own: [], shared: [] }
  if (device !== undefined) tries.own.push(['failedSignInByDevice', `${account} ${device}`])
  else
    for (const [index, network] of networksOf(address).entries()) {
      const [ofAccount, ofAll] = byWidth[index]!
      tries.own.push([ofAccount, `${account} ${network}`])
      tries.shared.push([ofAll, network])
    }
  return tries
}

/** Leaves the record to a job, because its time would reveal which addresses have an account. */
async function reportFailure(email: string, visit: Visit, services: Services) {
  const { rateLimits, jobs } = services
  const account = accountOf(email, services)
  const { network, userAgent, address } = visit
  const isNotedOften = await limitReached(
    rateLimits.consume(
      ['failureNotedByAccountAndNetwork', `${account} ${network}`],
      ['failureNotedByAccount', account],
    ),
  )
  if (!isNotedOften) await jobs.add('recordFailedSignIn', { email, userAgent, address })
}

/**
 * Judges strangers' guesses at one account one after the other, over all servers, and only so many
 * wrong ones: each network has its own limit, so there would be as many guesses as networks. Those
 * who wait hold no database connection.
 */
async function judgeInTurn<Answer>(
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
