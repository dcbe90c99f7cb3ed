import type { Logger } from 'pino'
import type { RateLimits } from '../platform/rate-limits.ts'
import { openJobs, type Jobs } from './jobs.ts'
import type { KeyedHash } from '../platform/keyed-hash.ts'
import type { Identity } from '../providers/identity/identity.ts'
import type { Mailer } from '../providers/mail/mailer.ts'
import type { Payments } from '../providers/payments/payments.ts'
import type { SignInProviders } from '../providers/sign-in/sign-in-providers.ts'
import type { Db } from '../store/database.ts'
import { openStore, type Store } from '../store/store.ts'

/** What is the same in every transaction. */
export type Shared = {
  /** The other servers see by it that this one is alive. */
  serverId: string
  rateLimits: RateLimits
  /** Only for the job `sendMail`, which calls add. */
  mailer: Mailer
  payments: Payments
  signInProviders: SignInProviders
  /** The base of every link. */
  publicUrl: string
  keyedHash: KeyedHash
  log: Logger
  /** Tests move it. */
  now: () => Date
}

/** What calls and jobs work with. */
export type Services = Shared & {
  store: Store
  jobs: Jobs
  identity: Identity
  /** Keeps all changes and jobs of the work, or none. */
  transaction: <Answer>(work: (services: Services) => Promise<Answer>) => Promise<Answer>
}

/** Opens the chosen identity provider on the services of a transaction. */
export type OpenIdentity = (services: Omit<Services, 'identity'>) => Identity

export function openServices(shared: Shared, openIdentity: OpenIdentity, db: Db): Services {
  const services = {
    ...shared,
    store: openStore(db),
    jobs: openJobs(db),
    transaction: <Answer>(work: (services: Services) => Promise<Answer>) =>
      db.transaction((tx) => work(openServices(shared, openIdentity, tx))),
  }
  return { ...services, identity: openIdentity(services) }
}
