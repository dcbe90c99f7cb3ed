import type { LanguageCode } from '#config/languages.ts'
import type {
  CallInput,
  CallName,
  CallOutput,
  Calls,
  CoreCallName,
  ParsedInput,
} from '#contract/calls.ts'
import type { AuthUser, Subscription } from '#contract/entities.ts'
import type { RecordedKind } from '#contract/activity.ts'
import type { Needs } from '#contract/rows.ts'
import type pg from 'pg'
import type { Logger } from 'pino'
import { openJobs, type CoreJobs, type Jobs } from './jobs.ts'
import { openRateLimits, type RateLimits } from './rate-limits.ts'
import type { ReadLimits } from './read-limits.ts'
import type { KeyedHash } from '../platform/keyed-hash.ts'
import type { Observer } from '../observe/observer.ts'
import type { Secrets } from '../platform/secrets.ts'
import type { IsBreached } from '../providers/identity/breached-passwords.ts'
import type { PasskeyPlace } from './passkey-place.ts'
import type { Identity, IdentityProvider } from '../providers/identity/identity.ts'
import type { Mailer } from '../providers/mail/mailer.ts'
import type { Payments } from '../providers/payments/payments.ts'
import type { SignInProviders } from '../providers/sign-in/sign-in-providers.ts'
import type { MailsOfModules } from '../mails/mails.ts'
import type { Lease } from '../store/billing.ts'
import { inTransaction, openDatabase, type Db } from '../sql/database.ts'
import type { Key } from '../store/idempotency.ts'
import type { SubscriptionForWrite } from '../store/shown-subscription.ts'
import type { CurrentToken } from '../store/access-tokens.ts'
import { openStore, type Store } from '../store/store.ts'
import type { TokenUses } from './token-uses.ts'

/** The services that all transactions share. */
type Shared = {
  /** The id by which other servers see that this server is alive. */
  serverId: string
  /** Counts every try, also in a transaction that is rolled back. */
  rateLimits: RateLimits
  readLimits: ReadLimits
  tokenUses: TokenUses
  /** Only the job `sendMail` uses it; calls add that job. */
  mailer: Mailer
  payments: Payments
  signInProviders: SignInProviders
  isBreached: IsBreached
  /** What the modules that are on have for the server. */
  modules: Modules
  /** Undefined where browsers make no passkeys. */
  passkeys: PasskeyPlace | undefined
  /** The URL that every link begins with. */
  publicUrl: string
  /** Whether webhooks may reach this machine, as in development. */
  allowPrivateWebhooks: boolean
  /** For what must stay equal for the life of the database, and is no secret. */
  keyedHash: KeyedHash
  /** For what must open nothing to a reader of the database. */
  secrets: Secrets
  log: Logger
  /** Sees what the server does: for metrics and traces. */
  observer: Observer
  /** The clock, which tests can move. */
  now: () => Date
  /** Tells those who work through jobs and notices that there may be new ones. */
  wake: () => void
}

export type Services = Shared & {
  store: Store
  /** The pool or the transaction, for the SQL of modules. The core's is in `store`. */
  db: Db
  jobs: Jobs
  /** Counts only the tries in transactions that are committed. */
  successLimits: RateLimits
  identity: Identity
  /**
   * Runs `work` in one transaction: its changes and jobs are kept together, or none of them. In a
   * transaction, `work` becomes a part of it.
   */
  transaction: <Answer>(work: (services: Services) => Promise<Answer>) => Promise<Answer>
}

type Accounts = IdentityProvider<Omit<Services, 'identity'>>

export function openServices(shared: Shared, accounts: Accounts, pool: pg.Pool): Services {
  const { wake, secrets } = shared
  /** The services of each connection's transactions, which are opened once. */
  const opened = new WeakMap<Db, Services>()

  function servicesIn(db: Db): Services {
    const known = opened.get(db)
    if (known) return known
    const services = open(db, openJobs(db, secrets), (work) => work(services))
    opened.set(db, services)
    return services
  }

  function open(db: Db, jobs: Jobs, transaction: Services['transaction']): Services {
    const successLimits = openRateLimits(db)
    const services = { ...shared, db, store: openStore(db), jobs, successLimits, transaction }
    return { ...services, identity: accounts.open(services) }
  }

  const db = openDatabase(pool)
  const services = open(db, openJobs(db, secrets, wake), async (work) => {
    const transaction = () => inTransaction(pool, (db) => work(servicesIn(db)))
    const answer = await (accounts.aroundTransaction?.(transaction, services) ?? transaction())
    wake()
    return answer
  })
  return services
}

/** The source of a request, and its cookies. */
export type Visit = {
  /** The visitor's IP address, for display. */
  address: string
  /** The network that rate limits count for: see `networkOf`. */
  network: string
  userAgent: string
  refreshToken: string | undefined
  keepRefreshToken: (token: string, expiresAt: Date) => void
  forgetRefreshToken: () => void
  /** The browser has the marker cookie, which anybody can set. */
  mayHaveSession: boolean
  /** The device cookie: see server/identity/devices.ts. */
  device: string | undefined
  keepDevice: (device: string) => void
  /** The secret of a browser in which a sign-in waits for its second step. */
  waiting: string | undefined
  keepWaiting: (secret: string) => void
  /** Keeps a secret until the browser comes back; `posted`: it comes with a form's POST. */
  keepFlowSecret: (
    flow: string,
    secret: string,
    options: { expiresAt: Date; posted: boolean },
  ) => void
  takeFlowSecret: (flow: string) => string | undefined
}

export type CurrentUser = Omit<AuthUser, 'creationTime'> & {
  language: LanguageCode | null
  hasSecondStep: boolean
  /** Of a program's access token, its id; it is recent for nothing. */
  session: { id: string; signedInAt: Date; secondStepAt: Date | null }
  accessToken?: CurrentToken | undefined
}

type NeedsOf<Name extends CallName> = Calls[Name]['needs']

type SubscriptionOf<Name extends CallName> = Calls[Name]['effect'] extends 'write'
  ? SubscriptionForWrite
  : Subscription

/**
 * There is a `subscription` for members and above, one that is not judged for others who name it, a
 * `lease` if the effect is `billing`.
 */
export type RequestOf<Name extends CallName> = {
  input: ParsedInput<Name>
  visit: Visit
  key: Key | undefined
} & (NeedsOf<Name> extends 'anyone' ? { user: CurrentUser | undefined } : { user: CurrentUser }) &
  (NeedsOf<Name> extends Exclude<Needs, 'anyone' | 'signedIn'>
    ? { subscription: SubscriptionOf<Name> }
    : 'subscriptionId' extends keyof CallInput<Name>
      ? { subscription: SubscriptionOf<Name> | undefined }
      : unknown) &
  (Calls[Name]['effect'] extends 'billing' ? { lease: Lease } : unknown)

/** An answer that is streamed is sent while it is read. */
type AnswerOf<Name extends CallName> = Calls[Name] extends { streamed: true }
  ? InPages<CallOutput<Name>>
  : CallOutput<Name>

type InPages<Output> = {
  [Key in keyof Output]: Output[Key] extends (infer Item)[] ? AsyncIterable<Item[]> : Output[Key]
}

/** A call's function. `http/api.ts` checks the caller and the input before it runs. */
export type Handler<Name extends CallName> = (
  request: RequestOf<Name>,
  services: Services,
) => Promise<AnswerOf<Name>>

export type HandlersOf<Names extends CallName> = { [Name in Names]: Handler<Name> }
export type Handlers = HandlersOf<CoreCallName>

/** A job may run again after a crash, with the same id. */
export type Job<Payload> = (payload: Payload, services: Services, jobId: string) => Promise<void>

export type Tasks = { [Name in keyof CoreJobs]: Job<CoreJobs[Name]> }

/** How much a project uses of each limit of a module. A change asks in its transaction. */
export type CountUse<Limit extends string = string> = (
  subscriptionId: string,
  services: Services,
) => Promise<Record<Limit, number>>

/** An entry of a project in the activity log. */
export type Recorded = {
  at: Date
  kind: RecordedKind
  subscriptionId: string
  actorId: string | undefined
  subjectId: string | undefined
  details: Record<string, string | string[]>
}

/** What a person is told: see core/notices.ts. The project is null if it is about none. */
export type Told = {
  at: Date
  kind: string
  /** The id of the person. */
  to: string
  subscriptionId: string | null
  /** What the mail of the kind says. */
  values: object
}

/** What the core lets modules add to what it does. */
export type Hooks = {
  /**
   * What a person's export takes along, below the module's name: values, or lists in pages. Leaves out
   * what belongs to the projects, by their ids, that are `shut` to the session.
   */
  exportUser?: (userId: string, services: Services, shut: string[]) => unknown
  /** Runs in the transaction that deletes an account, before its row goes. */
  endAccount?: (userId: string, services: Services) => Promise<unknown>
  /**
   * Runs in the transaction of a change of a project, at once with its entry in the activity log. It
   * may ask one statement.
   */
  recorded?: (entry: Recorded, services: Services) => Promise<unknown> | undefined
  /**
   * Runs in the transaction in which a person is told something, whether or not it is mailed. It may
   * ask one statement.
   */
  told?: (notice: Told, services: Services) => Promise<unknown> | undefined
  /** Runs once an hour: removes what has expired. */
  removeExpired?: (services: Services) => Promise<unknown>
  /**
   * Begins what a server that runs jobs does besides. `look` is called after commits of this server
   * and four times a second; `stop` waits for what has begun.
   */
  startWork?: (services: Services) => { look: () => void; stop: () => Promise<void> }
  /** What `npm run admin -- project ID` says of a project, below the module's name. */
  aboutProject?: (subscriptionId: string, services: Services) => Promise<unknown>
}

/** What the modules that are on have, as if they were one. */
export type Modules = {
  calls: Record<string, Handler<CallName>>
  usage: { limits: string[]; count: CountUse }[]
  jobs: Record<string, Job<never>>
  mails: MailsOfModules
  hooks: [name: string, hooks: Hooks][]
}
