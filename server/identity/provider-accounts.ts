import type { LanguageCode } from '#config/languages.ts'
import { email as emailField } from '#contract/fields.ts'
import { tidyName } from '#contract/names.ts'
import { record } from '../activity/record.ts'
import type { Services, Visit } from '../core/services.ts'
import { newId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import type { ProviderAccount } from '../providers/sign-in/sign-in-provider.ts'
import type { User } from '../store/users.ts'
import { mailCode, refuseReserved } from './action-codes.ts'
import { takeOver } from './claims.ts'
import { introduceDevice } from './devices.ts'
import { addAccount, nameFrom } from './new-accounts.ts'
import { giveBack } from './ways-back.ts'

type AtProvider = ProviderAccount & { provider: string }

/** Finds the linked user, or links the one with the verified address, or creates one. */
export async function signInWithProvider(
  account: AtProvider,
  language: LanguageCode | null,
  visit: Visit,
  services: Services,
) {
  const { success, data: email } = emailField.safeParse(account.email)
  const known = await findLinked(account, services)
  const canClaim = known && !known.claimed && account.emailVerified && known.email === email
  if (known && !canClaim) return fillIn(known, account, services)
  if (!success)
    throw new Refusal(account.email ? 'auth/provider-email-invalid' : 'auth/provider-without-email')
  if (!(await services.store.users.findByEmail(email)))
    await services.rateLimits.consume(['signUpByNetwork', visit.network])
  const found = { ...account, email, newId: newId() }
  const signedIn = await services.transaction(
    async (services) =>
      (await addUser(found, language, visit, services)) ??
      linkToOwner(found, language, visit, services),
  )
  if (!signedIn) throw new Refusal('auth/provider-failed')
  return signedIn
}

/** Links the provider account to the user whose session began the flow, unless that has ended. */
export async function linkProvider(
  account: AtProvider,
  { userId, sessionId }: { userId: string; sessionId: string },
  services: Services,
) {
  await services.transaction(async (services) => {
    const user = await lock(userId, services)
    if (!(await services.store.sessions.hold(sessionId)))
      throw new Refusal('auth/expired-provider-flow')
    if (!user.emailVerified) throw new Refusal('emailNotVerified')
    if (!user.claimed) throw new Refusal('claimRequired')
    const linked = await findLinked(account, services)
    if (linked && linked.id !== user.id) throw new Refusal('auth/credential-already-in-use')
    if (linked) return
    await linkAndFillIn(user, account, services)
  })
}

/** Signs a user in again. Refuses unless the provider account is linked to that user. */
export async function signInAgainWithProvider(
  account: AtProvider,
  { userId, sessionId }: { userId: string; sessionId: string },
  services: Services,
) {
  const user = await findLinked(account, services)
  if (user?.id !== userId) throw new Refusal('auth/user-mismatch')
  await services.store.sessions.markPassed(sessionId, { signedInAt: services.now() })
}

/** `newId`: the user's id, if there is none yet. */
type WithEmail = AtProvider & { email: string; newId: string }

/** Adds a user with a link to the provider account, unless another user has the address. */
async function addUser(
  account: WithEmail,
  language: LanguageCode | null,
  visit: Visit,
  services: Services,
) {
  const { provider, subject, email, emailVerified, newId: id } = account
  const displayName = nameOf(account) ?? nameFrom(email)
  const avatarUrl = pictureOf(account) ?? null
  const profile = { id, email, emailVerified, displayName, avatarUrl, language }
  if (!emailVerified && !(await services.store.users.findByEmail(email)))
    await refuseReserved({ email, reason: unproved }, services)
  const user = await addAccount(profile, services)
  if (!user) return undefined
  const row = { provider, subject, userId: user.id, email, now: services.now() }
  const sender = visit.network
  await Promise.all([
    services.store.providerLinks.add(row),
    record('providerLinked', { by: user, details: { provider } }, services),
    !emailVerified && mailCode(user, 'verifyEmail', {}, services, { sender }),
  ])
  introduceDevice(user, visit, services)
  return user
}

const unproved = 'auth/account-exists-with-different-credential'

/** An address that the provider has not verified may be another person's. */
async function linkToOwner(
  account: WithEmail,
  language: LanguageCode | null,
  visit: Visit,
  services: Services,
) {
  if (!account.emailVerified) throw new Refusal(unproved)
  const found = await services.store.users.findByEmail(account.email)
  const user = await lock(found?.id ?? '', services)
  if (user.disabled) throw new Refusal('auth/user-disabled')
  if (user.email !== account.email) throw new Refusal('auth/provider-failed')
  const linked = await findLinked(account, services)
  // Another window has just linked the account.
  if (linked?.id === user.id && user.claimed) return user
  if (user.claimed) return linkAndFillIn(user, account, services)
  // The account came from another address, and its user may be somebody else.
  if (!linked && (await giveBack(user, services)))
    return addUser(account, language, visit, services)
  const owned = await takeOver(user, services)
  await services.identity.removePassword(user.id)
  return linkAndFillIn(owned, account, services)
}

async function linkAndFillIn(user: User, account: AtProvider, services: Services) {
  await link(user, account, services)
  return fillIn(user, account, services)
}

async function link(user: User, { provider, ...account }: AtProvider, services: Services) {
  const { store, signInProviders, now } = services
  const email = storable(account.email, 254) ?? null
  const row = { provider, subject: account.subject, userId: user.id, email, now: now() }
  if (!(await store.providerLinks.add(row))) throw new Refusal('auth/provider-already-linked')
  const { label } = signInProviders.get(provider)!
  const change = { kind: 'providerLinked', provider: label } as const
  await Promise.all([
    record('providerLinked', { by: user, details: { provider } }, services),
    mailCode(user, 'secureAccount', { change }, services),
  ])
}

/** Adds the provider account's name and picture if the user has none yet. */
async function fillIn(user: User, account: AtProvider, services: Services): Promise<User> {
  const displayName = user.displayName || nameOf(account)
  const avatarUrl = user.avatarUrl ?? pictureOf(account)
  const changes = { ...(displayName && { displayName }), ...(avatarUrl && { avatarUrl }) }
  if (displayName === user.displayName && (avatarUrl ?? null) === user.avatarUrl) return user
  await services.store.users.update(user.id, changes, services.now())
  return { ...user, ...changes }
}

function findLinked({ provider, subject }: AtProvider, { store }: Services) {
  return store.providerLinks.findUser(provider, subject)
}

async function lock(id: string, { store }: Services) {
  const user = await store.users.lock(id)
  if (!user) throw new Refusal('auth/expired-provider-flow')
  return user
}

function nameOf({ name }: Pick<ProviderAccount, 'name'>) {
  return tidyName(storable(name, 100) ?? '') || undefined
}

/** Returns the picture's address if it uses https, because pages load pictures only over https. */
function pictureOf({ picture = '' }: ProviderAccount) {
  const isShown =
    URL.canParse(picture) && picture.length <= 2000 && new URL(picture).protocol === 'https:'
  return isShown ? picture : undefined
}

/** PostgreSQL can store neither NUL characters nor halves of surrogate pairs. */
function storable(text: string | undefined, maxLength: number) {
  return text?.replaceAll('\0', '').slice(0, maxLength).toWellFormed().trim() || undefined
}
