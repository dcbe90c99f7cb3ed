import { limits } from '#config/limits.ts'
import type { LanguageCode } from '#config/languages.ts'
import type { ProviderIntent } from '#contract/entities.ts'
import type { Services, Visit } from '../core/services.ts'
import { logAs } from '../platform/log.ts'
import { linkProvider, signInAgainWithProvider, signInWithProvider } from './provider-accounts.ts'
import type { ProviderAccount, ProviderQuestion } from '../providers/sign-in/sign-in-provider.ts'
import { Refusal } from '../platform/refusal.ts'
import { after } from '../platform/time.ts'
import { startSession } from './sessions.ts'
import { hashOf, newToken } from '../platform/ids.ts'

type NewFlow = {
  provider: string
  intent: ProviderIntent
  /** Null if `intent` is `signIn`, because nobody is signed in then. */
  userId: string | null
  sessionId: string | null
  language: LanguageCode | null
}

export type Outcome = 'signedIn' | 'linked' | 'reauthenticated'

/** Begins a visitor's way to a provider and back: see docs/decisions/007-provider-flows.md. */
export async function beginFlow(flow: NewFlow, visit: Visit, services: Services) {
  const { rateLimits, store, now } = services
  const provider = requireProvider(flow.provider, services)
  await rateLimits.consume(['providerByNetwork', visit.network])
  const [state, secret] = [newToken(), newToken()]
  const question = questionOf(state, secret, flow.intent)
  const url = await asking(flow.provider, services, () => provider.authorizationUrl(question))
  const expiresAt = after(now(), limits.providerFlow)
  await store.providerFlows.add({ ...flow, state, secret, createdAt: now(), expiresAt })
  visit.keepFlowSecret(nameOf(state), secret, { expiresAt, posted: provider.postsAnswer })
  return url
}

/** Ends a flow when the visitor comes back: once, and in the browser that began it. */
export async function endFlow(
  name: string,
  answer: URLSearchParams,
  visit: Visit,
  services: Services,
): Promise<{ outcome: Outcome; language: LanguageCode | null }> {
  const { store, now } = services
  const provider = requireProvider(name, services)
  const state = answer.get('state') ?? ''
  const secret = visit.takeFlowSecret(nameOf(state))
  const flow = secret && (await store.providerFlows.consume({ state, secret }, name))
  if (!secret || !flow || flow.expiresAt <= now()) throw new Refusal('auth/expired-provider-flow')
  const { intent, language } = flow
  if (flow.userId !== null) logAs('user', flow.userId, services)
  const found = await asking(name, services, async () =>
    requireStorable(await provider.findAccount(questionOf(state, secret, intent), answer)),
  )
  const account = { ...found, provider: name }
  if (intent === 'signIn') {
    const user = await signInWithProvider(account, language, visit, services)
    logAs('user', user.id, services)
    await startSession(user, visit, services)
    return { outcome: 'signedIn', language }
  }
  const by = { userId: flow.userId!, sessionId: flow.sessionId! }
  if (intent === 'link') {
    await linkProvider(account, by, services)
    return { outcome: 'linked', language }
  }
  if (isStale(account, now().getTime() - flow.createdAt.getTime()))
    throw new Refusal('auth/requires-recent-login')
  await signInAgainWithProvider(account, by, services)
  return { outcome: 'reauthenticated', language }
}

function requireProvider(name: string, { signInProviders }: Services) {
  const provider = signInProviders.get(name)
  if (!provider) throw new Refusal('auth/unknown-provider')
  return provider
}

/** Derives the other secrets from the one in the cookie, so that the database holds none. */
function questionOf(state: string, secret: string, intent: ProviderIntent): ProviderQuestion {
  return {
    state,
    nonce: hashOf(`nonce ${secret}`),
    verifier: hashOf(`verifier ${secret}`),
    fresh: intent === 'reauthenticate',
  }
}

/** A part of the cookie's name: a browser may have several flows in progress. */
function nameOf(state: string) {
  return hashOf(state).slice(0, 12)
}

/** Stored differently, a subject could match another person's. OpenID allows 255 characters. */
function requireStorable(account: ProviderAccount) {
  if (!/^[^\0]{1,255}$/su.test(account.subject) || !account.subject.isWellFormed())
    throw new Error('the subject cannot be stored')
  return account
}

/** In milliseconds: clocks differ, and providers round times. */
const tolerance = 60_000

function isStale({ signedInAgo = 0 }: ProviderAccount, flowAge: number) {
  return signedInAgo > flowAge + tolerance
}

/** Logs a failure of the provider without its answer, which may hold codes and tokens. */
async function asking<Answer>(provider: string, { log }: Services, ask: () => Promise<Answer>) {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Refusal) throw error
    const { message, code } = error as { message?: string; code?: string }
    log.warn({ provider, problem: message, code }, 'a sign-in provider failed')
    throw new Refusal('auth/provider-failed')
  }
}
