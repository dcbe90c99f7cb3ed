import { billingLimits } from '#config/limits.ts'
import { product } from '#config/product.ts'
import { cardForm, openSandbox } from '@local/sandbox'
import type pg from 'pg'
import type { Logger } from 'pino'
import { guardAccount } from './billing/account.ts'
import { priceNames, sandboxPrices } from './billing/plans.ts'
import { withRights } from './migrate/change-schema.ts'
import type { Observer } from './observe/observer.ts'
import type { KeyedHash } from './platform/keyed-hash.ts'
import type { Secrets } from './platform/secrets.ts'
import { waitWhile } from './platform/time.ts'
import { openBreachedPasswords } from './providers/identity/breached-passwords.ts'
import { openKeptMailer } from './providers/mail/kept-mailer.ts'
import { openSmtpMailer, watchedMailer } from './providers/mail/mailer.ts'
import { reportTo } from './providers/payments/stripe/requests.ts'
import { openStripePayments } from './providers/payments/stripe/stripe.ts'
import { openSignInProviders } from './providers/sign-in/sign-in-providers.ts'
import type { Env } from './running/env.ts'
import { readMark } from './running/mark.ts'
import type { Store } from './store/store.ts'

type Given = {
  env: Env
  store: Store
  secrets: Secrets
  keyedHash: KeyedHash
  observer: Observer
  log: Logger
  now: () => Date
  sandboxPool: pg.Pool
  webhookSecret: string
  enabled: Record<string, { enabled: boolean }>
  wire: (fetch: typeof globalThis.fetch) => typeof globalThis.fetch
  /** Delivers a webhook of the sandbox to the route of Stripe's. Returns the HTTP status. */
  deliver: (body: string, headers: Record<string, string>) => Promise<number>
  /** Whether calls about billing, or jobs, are in progress. */
  isBusy: () => Promise<boolean>
  /** What the server does by the sandbox's clock: when it is next due, and how to begin it. */
  ahead: { next: () => Promise<number | undefined>; look: () => Promise<void> }
}

/** Opens what mails, takes payments and signs people in. Only this function knows their brands. */
export async function openProviders(given: Given) {
  const { env, store, secrets, keyedHash, observer, log, now, webhookSecret } = given
  const { publicUrl } = env
  // See docs/decisions/010-sandbox-as-a-package.md.
  const sandbox = env.stripe
    ? undefined
    : await withRights(
        openSandbox({
          pool: given.sandboxPool,
          publicUrl,
          webhookSecret,
          deliver: given.deliver,
          // A call about billing and a job that wait for something else may take longer.
          async settle(now) {
            const next = await given.ahead.next()
            if (next !== undefined && next <= now) await given.ahead.look()
            await waitWhile(given.isBusy, 2000)
          },
          nextAlarm: given.ahead.next,
          prices: sandboxPrices,
          productName: product.name,
          mark: readMark(),
          log,
        }),
      )
  const stripe = {
    secretKey: env.stripe?.secretKey ?? 'sk_test_sandbox',
    webhookSecret,
    prices: priceNames,
    tax: env.tax,
    unpaid: env.unpaid,
    apiBase: env.stripeApiBase,
    timeThere: sandbox && (async () => new Date((await sandbox.now()) * 1000)),
    fetch: sandbox && given.wire(sandbox.fetch as typeof fetch),
    now,
    onRequest: reportTo(log),
    observer,
  }
  const unguarded = openStripePayments({ ...stripe, timeout: billingLimits.accountTimeout })
  const account = await guardAccount({ payments: unguarded, store, log }).catch(
    async (error: unknown) => {
      await sandbox?.close()
      throw error
    },
  )
  return {
    sandbox,
    cardForm,
    account,
    payments: openStripePayments({ ...stripe, before: account.checked }),
    mailer: env.smtpUrl
      ? watchedMailer(
          await openSmtpMailer({
            url: env.smtpUrl,
            from: env.mailFrom,
            mark: readMark(),
            keyedHash,
          }),
          observer,
        )
      : openKeptMailer({ store, secrets, now }),
    signInProviders: openSignInProviders({
      settings: env.signIn,
      enabled: given.enabled,
      publicUrl,
      observer,
    }),
    isBreached: openBreachedPasswords(env.breachedPasswordsUrl, { log, observer }),
  }
}
