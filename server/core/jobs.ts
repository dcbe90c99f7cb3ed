import { rateLimits } from '#config/limits.ts'
import type { EpochSeconds } from '#contract/entities.ts'
import type { ChosenKind } from '#contract/notices.ts'
import type { MailOrder } from '../mails/mails.ts'
import { hasCode, sealOrder, type OrderWithCode } from '../mails/sealed-orders.ts'
import type { CustomerId, ProviderSubscriptionId, SubscriptionId } from '../platform/ids.ts'
import type { Secrets } from '../platform/secrets.ts'
import type { Db } from '../sql/database.ts'
import type { NewJob } from '../store/adding-job.ts'
import * as queue from '../store/queue.ts'
import { toLimited, type Try } from './rate-limits.ts'

/** The payloads of the jobs of modules, by names like `boats.count`. Their server.ts adds them. */
// oxlint-disable-next-line typescript/consistent-type-definitions -- only interfaces can be added to
export interface ModuleJobs {}

export type JobPayloads = CoreJobs & ModuleJobs

export type CoreJobs = {
  sendMail: MailOrder
  /** What `sendMail` becomes if the mail has a code. Servers of former versions don't know it. */
  sendSealedMail: OrderWithCode
  /**
   * There may be no account with this address. `isKnown`: its user asks on a device that signed in
   * before. Jobs of an earlier version have only the address.
   */
  mailPasswordReset: { email: string; network?: string; isKnown?: boolean }
  mailNewDevice: { userId: string; userAgent: string; address: string }
  mailWrongSecondStep: { userId: string; userAgent: string; address: string }
  /** There may be no account with this address. */
  recordFailedSignIn: { email: string; userAgent: string; address: string }
  /** Looks everything up when it runs, so that the mail is true and its reader still wants it. */
  sendNoticeMail: Notice
  /** What a project asks of its people's sign-ins, by name who said so; null for an operator. */
  mailSecondFactor: { subscriptionId: string; by: string | null }
  processEvent: { eventId: string }
  /** Takes over the provider subscription of a project that was moved here. */
  adoptProviderSubscription: { subscriptionId: SubscriptionId }
  /** Writes the owner's address and language to the provider's customer. */
  updateContact: { subscriptionId: SubscriptionId }
  /** The same for all subscriptions of one owner. */
  updateContacts: { ownerId: string }
  /** Recovers what began before this ISO date; by default, some minutes ago. */
  recoverPurchases: { begunBefore?: string }
  recoverPurchase: { subscriptionId: SubscriptionId }
  /** Removes the customer of a purchase that failed. */
  removeCustomer: { customerId: CustomerId }
  reconcile: Record<string, never>
  reconcilePage: Reconciliation
  finishTransfer: { subscriptionId: SubscriptionId }
  /** Removes a card that a user with a deleted account had added. */
  removeCard: { subscriptionId: SubscriptionId; cardId: string }
  /**
   * Mails about a try to charge that failed, unless it is paid by then. `tried`: when, by the
   * provider's clock.
   */
  tellUnpaid: { subscriptionId: SubscriptionId; tried: EpochSeconds }
  /** Adds `tellUnpaid` for projects that end soon because they are not paid. */
  warnOfEnd: Record<string, never>
  /** Adds `actAhead` for projects that renew or change soon. */
  lookAhead: Record<string, never>
  actAhead: { subscriptionId: SubscriptionId }
  /** Before a scheduled change to a smaller plan. */
  checkSeats: { subscriptionId: SubscriptionId }
  /** After a trial that ended without a card, and again when the project may wait no longer. */
  endTrial: { subscriptionId: SubscriptionId }
  /** After a cancellation that refunds the rest of the paid period. */
  refundUnused: { id: ProviderSubscriptionId }
  mailTransfer: { subscriptionId: SubscriptionId; from: string; to: string }
  /** To a project's administrators: the tokens for it, by name, ended with their maker's access. */
  mailTokensEnded: { subscriptionId: string; maker: string; tokens: string[] }
  removeExpired: Record<string, never>
}

/** What somebody did that concerns the person `to`. `by` is null if no person did it. */
export type Notice = { kind: ChosenKind; to: string; subscriptionId: string; by: string | null }

/** The progress of a reconciliation. Times are in seconds, by the provider's clock. */
export type Reconciliation = {
  step: 'events' | 'liveProviderSubscriptions' | 'paidSubscriptions' | 'invoices' | 'openInvoices'
  /** The id of the last item that the step has worked through. */
  after?: string | undefined
  pageSize: number
  /** The reconciliation compares events and invoices from this time on. */
  since: number
  /** The creation time of the newest invoice seen so far. */
  newest: number
  /** The ticket taken at the beginning: rows with an older one were not read since. */
  ticket: number
  /** Provider subscriptions that belong to nothing here: how many, and the ids of some. */
  unknown: { count: number; some: string[] }
}

export type Jobs = ReturnType<typeof openJobs>

/** Opens the job queue. What is added or removed in a transaction is kept or rolled back with it. */
export function openJobs(
  db: Db,
  secrets: Pick<Secrets, 'seal'>,
  onAdded: () => void = () => undefined,
) {
  /** The one place where codes are sealed. */
  function sealed<Name extends keyof JobPayloads>(
    name: Name,
    payload: JobPayloads[Name],
    options?: { key: string | null },
  ) {
    const order = name === 'sendMail' && (payload as MailOrder)
    return order && hasCode(order)
      ? newJob('sendSealedMail', sealOrder(order, secrets), options)
      : newJob(name, payload, options)
  }

  return {
    /** Replaces a job with the same key. The job has all its tries left. */
    async add<Name extends keyof JobPayloads>(
      name: Name,
      payload: JobPayloads[Name],
      { key = null }: { key?: string | null } = {},
    ) {
      await queue.add(db, sealed(name, payload, { key }))
      onAdded()
    },

    /** Adds a job unless that goes beyond the limit. Tries count only if the transaction succeeds. */
    async addWithin<Name extends keyof JobPayloads>(
      limit: Try,
      name: Name,
      payload: JobPayloads[Name],
    ) {
      const { tries } = rateLimits[limit[0]]
      await queue.addWithin(db, { job: sealed(name, payload), tries, ...toLimited(limit) })
      onAdded()
    },

    /** Removes a job. If it runs, it runs to its end. */
    remove: (key: string) => queue.remove(db, key),

    /** The tries of the unfinished job with this key; undefined if there is none. */
    findTries: (key: string) => queue.findTries(db, key),

    isBusy: () => queue.isBusy(db),
  }
}

/** A job for a statement of the store that adds it together with something else. */
export function newJob<Name extends keyof JobPayloads>(
  task: Name,
  payload: JobPayloads[Name],
  { key = null }: { key?: string | null } = {},
): NewJob {
  return { task, key, payload: JSON.stringify(payload) }
}
