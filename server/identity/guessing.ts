import { findKnownDevice } from './devices.ts'
import { isFailure, type Try } from '../core/rate-limits.ts'
import type { Services, Visit } from '../core/services.ts'
import { networksOf } from '../platform/networks.ts'
import { isRefusal, Refusal } from '../platform/refusal.ts'
import type { User } from '../store/users.ts'
import { judgeInTurn, triesOfStrangers } from './strangers.ts'

/** `owner` is the user with this address, if there is one. */
type Guess = { email: string; owner?: User | undefined; visit: Visit; judge: () => Promise<User> }

/** Judges a guess within limits. If there are too many, a mailed link still is a way in. */
export async function guardGuess(guess: Guess, services: Services) {
  try {
    return await judgeWithinLimits(guess, services)
  } catch (error) {
    if (!isRefusal(error, 'auth/too-many-requests')) throw error
    throw new Refusal(error.reason, { ...error.details, way: 'resetPassword' }, error.limit)
  }
}

/**
 * Known devices have limits of their own, so that strangers can't lock the owner out. Limits count
 * by the typed address, so that they don't show which ones have an account. Each try counts before
 * the password is checked, so that parallel tries can't exceed the limits.
 */
async function judgeWithinLimits({ email, owner, visit, judge }: Guess, services: Services) {
  const { rateLimits } = services
  const account = accountOf(email, services)
  const device = findKnownDevice(owner ?? nobody, visit, services)
  const { own, shared } = triesOf(account, device, visit)
  const isKnown = device !== undefined
  const { tried, turn } = isKnown ? { tried: [], turn: [] } : triesOfStrangers(account)
  async function judgeAndSettle() {
    const user = await judge()
    // A thief's sign-ins then lock out neither a known device nor an owner with a new password.
    const by = `${user.id} ${user.credentialsVersion} ${device ?? 'strangers'}`
    await rateLimits.settle({
      reset: [...own, ...turn],
      giveBack: [...shared, ...tried],
      consume: ['signInByAccount', by],
    })
    return user
  }

  await rateLimits.consumeAll(...own, ...shared)
  const judged = isKnown ? judgeAndSettle() : judgeInTurn(account, judgeAndSettle, services)
  return judged.catch(async (error: unknown) => {
    if (isRefusal(error, 'auth/invalid-credential')) await reportFailure(email, visit, services)
    if (!isFailure(error)) await rateLimits.giveBack(...own, ...shared)
    throw error
  })
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
  const isNoted = await rateLimits.tryConsume(
    ['failureNotedByAccountAndNetwork', `${account} ${network}`],
    ['failureNotedByAccount', account],
  )
  if (isNoted) await jobs.add('recordFailedSignIn', { email, userAgent, address })
}
