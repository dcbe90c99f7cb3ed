import { limits } from '#config/limits.ts'
import type { LanguageCode } from '#config/languages.ts'
import type { ProviderIntent } from '#contract/entities.ts'
import type { Visit } from '../core/handle.ts'
import { logAs } from '../platform/log.ts'
import { linkProvider, signInAgainWithProvider, signInWithProvider } from './provider-accounts.ts'
import type { ProviderAccount, ProviderQuestion } from '../providers/sign-in/sign-in-provider.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Services } from '../core/services.ts'
import { after } from '../platform/time.ts'
import { startSession } from './sessions.ts'
import { hashOf, newToken } from '../platform/ids.ts'

type NewFlow = {
  provider: string
  intent: ProviderIntent
  /** Who begins it, unless it is to sign in. */
  userId: string | null
  sessionId: string | null
  language: LanguageCode | null
}

export type Outcome = 'signedIn' | 'linked' | 'reauthenticated'

/** The provider's page to send the visitor to. Their browser keeps what it takes to come back. */
export async function beginFlow(flow: NewFlow, visit: Visit, services: Services) {
  const { rateLimits, store, now } = services
  const provider = findProvider(flow.provider, services)
  await rateLimits.consume('providerByNetwork', visit.network)
  const [state, secret] = [newToken(), newToken()]
  const question = questionOf(state, secret, flow.intent)
  const url = await asking(flow.provider, services, () => provider.authorizationUrl(question))
  const expiresAt = after(now(), limits.providerFlow)
  await store.providerFlows.add({ ...flow, state, secret, createdAt: now(), expiresAt })
  visit.keepFlowSecret(nameOf(state), secret, { expiresAt, posted: provider.postsAnswer })
  return url
}

/** Takes somebody who comes back from a provider to where they wanted to go. A flow ends once, and only in the browser that began it. */
export async function endFlow(
  name: string,
  answer: URLSearchParams,
  visit: Visit,
  services: Services,
) {
  const { store, now } = services
  const provider = findProvider(name, services)
  const state = answer.get('state') ?? ''
  const secret = visit.takeFlowSecret(nameOf(state))
  const flow =
    secret === undefined ? undefined : await store.providerFlows.take({ state, secret }, name)
  if (!secret || !flow || flow.expiresAt <= now()) throw new Refusal('auth/expired-provider-flow')
  if (flow.userId !== null) logAs({ user: flow.userId }, services)
  const account = await asking(name, services, async () =>
    storable(await provider.findAccount(questionOf(state, secret, flow.intent), answer)),
  )

  const reach: Record<ProviderIntent, () => Promise<Outcome>> = {
    async signIn() {
      const user = await signInWithProvider(name, account, flow.language, visit, services)
      logAs({ user: user.id }, services)
      await startSession(user, visit, services)
      return 'signedIn'
    },
    async link() {
      await linkProvider(
        { userId: flow.userId!, sessionId: flow.sessionId! },
        name,
        account,
        services,
      )
      return 'linked'
    },
    async reauthenticate() {
      if (isStale(account, now().getTime() - flow.createdAt.getTime()))
        throw new Refusal('auth/requires-recent-login')
      await signInAgainWithProvider(flow.userId!, flow.sessionId!, name, account, services)
      return 'reauthenticated'
    },
  }
  return { outcome: await reach[flow.intent](), language: flow.language }
}

function findProvider(name: string, { signInProviders }: Services) {
  const provider = signInProviders.get(name)
  if (!provider) throw new Refusal('auth/unknown-provider')
  return provider
}

/** The verifier and the nonce follow from what the browser keeps, so that the store holds nothing that could be used. */
function questionOf(state: string, secret: string, intent: ProviderIntent): ProviderQuestion {
  return {
    state,
    nonce: hashOf(`nonce ${secret}`),
    verifier: hashOf(`verifier ${secret}`),
    fresh: intent === 'reauthenticate',
  }
}

/** Tells the cookies of several flows apart. */
function nameOf(state: string) {
  return hashOf(state).slice(0, 12)
}

/** A subject that can't be stored exactly as it is could be taken for somebody else's. OpenID Connect allows it 255 characters. */
function storable(account: ProviderAccount) {
  if (!/^[^\0]{1,255}$/su.test(account.subject) || !account.subject.isWellFormed())
    throw new Error('the subject cannot be stored')
  return account
}

/** Clocks differ, and the provider rounds. */
const tolerance = 60_000

function isStale({ signedInAgo = 0 }: ProviderAccount, flowAge: number) {
  return signedInAgo > flowAge + tolerance
}

/** What goes wrong at a provider is logged without what it said: codes and tokens are in there. */
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
