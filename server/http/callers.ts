import { rateLimits } from '#config/limits.ts'
import { calls, type CallName } from '#contract/calls.ts'
import type { Subscription } from '#contract/entities.ts'
import type { CallRow } from '#contract/rows.ts'
import { refuseBeyond } from '../core/rate-limits.ts'
import type { CurrentUser, Services } from '../core/services.ts'
import { nameCaller } from '../platform/caller.ts'
import { isAccessToken } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import type { CurrentToken } from '../store/access-tokens.ts'

export type Caller = { user?: CurrentUser; shown?: Subscription | undefined }
type Found = Pick<CurrentUser, 'session'> & {
  user: Omit<CurrentUser, 'session'>
  subscription?: Subscription | undefined
}
type Asked = {
  name: CallName
  subscriptionId: unknown
  accessToken: string | undefined
  /** The visitor's. */
  network: string
}

/** Tokens whose accounts a server remembers. */
const remembered = 10_000

export function openCallers() {
  /**
   * The accounts of recent access tokens, so that the account's turn counts from the first question
   * on. It gives no rights: every request looks its session up.
   */
  const accounts = new Map<string, string>()

  function remember(accessToken: string, account: string) {
    if (accounts.size >= remembered) accounts.clear()
    accounts.set(accessToken, account)
  }

  /** Finds the caller and, for a call that only reads, the subscription. Limits calls. */
  return async function identify(asked: Asked, services: Services): Promise<Caller> {
    const { name, accessToken } = asked
    const { needs, effect }: CallRow = calls[name]
    if (accessToken === undefined && needs !== 'anyone') throw new Refusal('notSignedIn')
    const known = accessToken && accounts.get(accessToken)
    if (known) nameCaller(known)
    // Calls that anyone may make are limited in their own functions.
    const isLimited = effect !== 'read' && needs !== 'anyone'
    const found: Found | '' | undefined =
      accessToken &&
      (isLimited
        ? await countWrite(accessToken, name, services)
        : await findCaller(asked, services))
    if (!found && needs === 'anyone') return {}
    if (!found) throw new Refusal('sessionEnded')
    const { uid } = found.user
    nameCaller(uid)
    remember(accessToken!, uid)
    if (found.user.accessToken) await admitToken(found.user.accessToken, asked, services)
    else if (effect === 'read') services.readLimits.consume('readsByAccount', uid)
    return { user: { ...found.user, session: found.session }, shown: found.subscription }
  }
}

/** Refuses what no access token may do, or not this one, and notes its use. */
async function admitToken(
  { id, access, subscriptionId }: CurrentToken,
  { name, network, ...asked }: Asked,
  services: Services,
) {
  const { tokens, effect }: CallRow = calls[name]
  const isOfOther = subscriptionId !== null && subscriptionId !== asked.subscriptionId
  if (!tokens || (tokens === 'write' && access === 'read')) throw new Refusal('tokenNotAllowed')
  if (isOfOther && name !== 'listSubscriptions') throw new Refusal('tokenNotAllowed')
  if (effect === 'read') services.readLimits.consume('readsByToken', id)
  await services.tokenUses.count({ id, network, at: services.now() }, services)
}

/** Finds the caller and the subscription that the call names, if it is one that only reads. */
export async function findCaller(
  { subscriptionId, accessToken }: Pick<Asked, 'subscriptionId' | 'accessToken'>,
  { store, now }: Services,
): Promise<Found | undefined> {
  return typeof subscriptionId === 'string'
    ? store.sessions.findWithSubscription(accessToken!, now(), subscriptionId)
    : store.sessions.findByAccessToken(accessToken!, now())
}

async function countWrite(accessToken: string, call: CallName, { store, now }: Services) {
  const isToken = isAccessToken(accessToken)
  const limit = isToken ? 'writesByToken' : 'writesByAccount'
  const { within } = rateLimits[limit]
  const perSession = isToken || (calls[call] as CallRow).perSession === true
  const counted = { limit, call, perSession, within }
  const found = await store.sessions.countWrite(accessToken, now(), counted)
  if (found) refuseBeyond(limit, found.count)
  return found
}
