import type { LanguageCode } from '#config/languages.ts'
import { email as emailField } from '#contract/fields.ts'
import { tidyName } from '#contract/names.ts'
import { endFormerAccess, markEmailVerified, unlinkAll } from './account-security.ts'
import { mailSecurityNotice, mailVerification, refuseReserved } from './action-codes.ts'
import { person, record } from '../activity/activity.ts'
import { introduceDevice } from './devices.ts'
import type { Visit } from '../core/handle.ts'
import type { ProviderAccount } from '../providers/sign-in/sign-in-provider.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Services } from '../core/services.ts'
import { newId } from '../platform/ids.ts'
import type { User } from '../store/users.ts'

/** The user that a provider's account stands for: the one it is linked to, the one with its verified address, or a new one. */
export async function signInWithProvider(
  provider: string,
  account: ProviderAccount,
  language: LanguageCode | null,
  visit: Visit,
  services: Services,
) {
  const known = await services.store.providerLinks.findUser(provider, account.subject)
  if (known) return fillIn(known, account, services)
  const email = emailOf(account)
  if (!(await services.store.users.findByEmail(email)))
    await services.rateLimits.consume('signUpByNetwork', visit.network)
  return services.transaction(
    async (services) =>
      (await addUser(provider, account, email, language, visit, services)) ??
      linkToOwner(provider, account, email, services),
  )
}

type By = { userId: string; sessionId: string }

/** For the session that began it, if it has not ended meanwhile. */
export async function linkProvider(
  { userId, sessionId }: By,
  provider: string,
  account: ProviderAccount,
  services: Services,
) {
  await services.transaction(async (services) => {
    const user = await lock(userId, services)
    if (!(await services.store.sessions.hold(sessionId)))
      throw new Refusal('auth/expired-provider-flow')
    if (!user.emailVerified) throw new Refusal('emailNotVerified')
    const linked = await services.store.providerLinks.findUser(provider, account.subject)
    if (linked && linked.id !== user.id) throw new Refusal('auth/credential-already-in-use')
    if (linked) return
    await link(user, provider, account, services)
    await fillIn(user, account, services)
  })
}

/** Somebody who is signed in shows with an account that is linked to theirs that they are still the same. */
export async function signInAgainWithProvider(
  userId: string,
  sessionId: string,
  provider: string,
  account: ProviderAccount,
  services: Services,
) {
  const { store, now } = services
  const user = await store.providerLinks.findUser(provider, account.subject)
  if (user?.id !== userId) throw new Refusal('auth/user-mismatch')
  await store.sessions.markSignedIn(sessionId, now())
}

/** Nothing if the address is taken. */
async function addUser(
  provider: string,
  account: ProviderAccount,
  email: string,
  language: LanguageCode | null,
  visit: Visit,
  services: Services,
) {
  const { store, identity, now } = services
  const { subject, emailVerified } = account
  const displayName = nameOf(account) ?? nameOf({ name: email.split('@')[0] }) ?? email
  const avatarUrl = pictureOf(account) ?? null
  const user = await store.users.add({
    id: newId(),
    email,
    emailVerified,
    displayName,
    avatarUrl,
    language,
    now: now(),
  })
  if (!user) return undefined
  if (!emailVerified)
    await refuseReserved(email, 'auth/account-exists-with-different-credential', services)
  await identity.createUser({ uid: user.id, email, emailVerified, displayName })
  await store.providerLinks.add({ provider, subject, userId: user.id, email, now: now() })
  await record('providerLinked', { by: person(user), details: { provider } }, services)
  if (!emailVerified) await mailVerification(user, services)
  introduceDevice(user, visit, services)
  return user
}

/** Only an address that the provider has verified shows that both accounts are the same person's. */
async function linkToOwner(
  provider: string,
  account: ProviderAccount,
  email: string,
  services: Services,
) {
  if (!account.emailVerified) throw new Refusal('auth/account-exists-with-different-credential')
  const found = await services.store.users.findByEmail(email)
  const user = await lock(found?.id ?? '', services)
  if (user.disabled) throw new Refusal('auth/user-disabled')
  if (user.email !== email) throw new Refusal('auth/provider-failed')
  const linked = await services.store.providerLinks.findUser(provider, account.subject)
  // Of two windows at once the other one was faster.
  if (linked?.id === user.id) return user
  const owned = user.emailVerified ? user : await evict(user, services)
  await link(owned, provider, account, services)
  return fillIn(owned, account, services)
}

/** Whoever registered with an address without showing that it is theirs loses every way in to the person it belongs to. */
async function evict(user: User, services: Services): Promise<User> {
  const { store, identity } = services
  const renewed = await endFormerAccess(user.id, services)
  await store.actionCodes.removeAllOf(user.id, ['verifyEmail', 'recoverEmail', 'secureAccount'])
  await identity.removePassword(user.id)
  await unlinkAll(user, services)
  await markEmailVerified(user.id, services)
  return { ...renewed, emailVerified: true }
}

async function link(
  user: User,
  provider: string,
  { subject, email }: ProviderAccount,
  services: Services,
) {
  const { store, signInProviders, now } = services
  const added = await store.providerLinks.add({
    provider,
    subject,
    userId: user.id,
    email: tidy(email, 254) ?? null,
    now: now(),
  })
  if (!added) throw new Refusal('auth/provider-already-linked')
  await record('providerLinked', { by: person(user), details: { provider } }, services)
  await mailSecurityNotice(
    user,
    { kind: 'providerLinked', provider: signInProviders.get(provider)!.label },
    services,
  )
}

/** What the provider knows and we don't. */
async function fillIn(
  user: User,
  account: ProviderAccount,
  { store, now }: Services,
): Promise<User> {
  const [displayName, avatarUrl] = [
    user.displayName || nameOf(account),
    user.avatarUrl ?? pictureOf(account),
  ]
  const changes = { ...(displayName && { displayName }), ...(avatarUrl && { avatarUrl }) }
  if (displayName === user.displayName && (avatarUrl ?? null) === user.avatarUrl) return user
  await store.users.update(user.id, changes, now())
  return { ...user, ...changes }
}

async function lock(id: string, { store }: Services) {
  const user = await store.users.lock(id)
  if (!user) throw new Refusal('auth/expired-provider-flow')
  return user
}

function emailOf({ email }: ProviderAccount) {
  const { success, data } = emailField.safeParse(email)
  if (!success) throw new Refusal('auth/provider-without-email')
  return data
}

function nameOf({ name }: Pick<ProviderAccount, 'name'>) {
  return tidyName(tidy(name, 100) ?? '') || undefined
}

/** Pages show pictures over TLS only. */
function pictureOf({ picture = '' }: ProviderAccount) {
  return URL.canParse(picture) && picture.length <= 2000 && new URL(picture).protocol === 'https:'
    ? picture
    : undefined
}

/** As the store can keep it. */
function tidy(text: string | undefined, maxLength: number) {
  return text?.replaceAll('\0', '').slice(0, maxLength).toWellFormed().trim() || undefined
}
