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

/** What there is once in a server, whatever the transaction. */
export type Shared = {
  /** Under which this server shows the others that it lives. */
  serverId: string
  rateLimits: RateLimits
  /** For the job `sendMail` alone: a call adds that job. */
  mailer: Mailer
  payments: Payments
  signInProviders: SignInProviders
  /** Where people reach the server: the base of every link. */
  publicUrl: string
  keyedHash: KeyedHash
  log: Logger
  /** The time, which tests move. */
  now: () => Date
}

/** What handlers and jobs act with. */
export type Services = Shared & {
  store: Store
  jobs: Jobs
  identity: Identity
  /** Runs the work with all its changes and jobs kept together, or none of them. */
  transaction: <Answer>(work: (services: Services) => Promise<Answer>) => Promise<Answer>
}

/** Puts the chosen provider on the services of one transaction. */
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
