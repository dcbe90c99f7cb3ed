import { sql } from 'drizzle-orm'
import type { MailOrder } from '../mails/mails.ts'
import type { CustomerId, SubscriptionId } from '../platform/ids.ts'
import { hasDied } from '../platform/presence.ts'
import type { Db } from '../store/database.ts'

/** Every job with its payload. */
export type JobPayloads = {
  sendMail: MailOrder
  /** The address may have no account. */
  mailPasswordReset: { email: string }
  mailNewDevice: { userId: string; userAgent: string; address: string }
  /** The address may have no account. */
  recordFailedSignIn: { email: string; userAgent: string; address: string }
  processEvent: { eventId: string }
  /** Writes the owner's address and language to the provider's customer. */
  updateContact: { subscriptionId: SubscriptionId }
  /** The same for all subscriptions of an owner. */
  updateContacts: { ownerId: string }
  /** `begunBefore`: an ISO date; if missing, what began some minutes ago. */
  recoverPurchases: { begunBefore?: string }
  recoverPurchase: { subscriptionId: SubscriptionId }
  /** Of a purchase that failed. */
  removeCustomer: { customerId: CustomerId }
  reconcile: Record<string, never>
  reconcilePage: Reconciliation
  finishTransfer: { subscriptionId: SubscriptionId }
  /** Of a user who has deleted their account. */
  removeCard: { subscriptionId: SubscriptionId; cardId: string }
  mailTransfer: { subscriptionId: SubscriptionId; from: string; to: string }
  removeExpired: Record<string, never>
}

/** How far a reconciliation has come. Times are seconds of the provider's clock. */
export type Reconciliation = {
  step: 'events' | 'liveProviderSubscriptions' | 'paidSubscriptions' | 'invoices' | 'openInvoices'
  /** The last item that the step has worked through. */
  after?: string | undefined
  pageSize: number
  /** Events and invoices are compared from then on. */
  since: number
  /** When the newest invoice that was seen was created. */
  newest: number
  /** Taken at the beginning: a row with an older one was not read from the provider since. */
  ticket: number
  /** Provider subscriptions that are none of ours: how many, and the ids of some. */
  unknown: { count: number; some: string[] }
}

/** `nextAt` is null when no tries are left. */
export type Tries = { attempts: number; maxAttempts: number; nextAt: string | null }

export type Jobs = ReturnType<typeof openJobs>

/** The waits between tries grow: the last try comes about two days after the first. */
const maxAttempts = 17

/** Jobs are added in the caller's transaction and roll back with it. */
export function openJobs(db: Db) {
  return {
    /**
     * A job replaces a waiting one with the same key and starts its tries again. Jobs of a queue
     * run one at a time.
     */
    async add<Name extends keyof JobPayloads>(
      name: Name,
      payload: JobPayloads[Name],
      { key, queue }: { key?: string; queue?: string } = {},
    ) {
      await db.execute(sql`select graphile_worker.add_job(${name}, payload => ${JSON.stringify(payload)}::json,
        max_attempts => ${maxAttempts}, job_key => ${key ?? null}, queue_name => ${queue ?? null})`)
    },

    /** If the job is running, it runs to its end. */
    async remove(key: string) {
      await db.execute(sql`select graphile_worker.remove_job(${key})`)
    },

    /** By key, the tries of unfinished jobs. */
    async mapTries(keys: string[]) {
      const { rows } = await db.execute<Tries & { key: string }>(sql`
        select key, attempts, max_attempts "maxAttempts", case when attempts < max_attempts then run_at end "nextAt"
        from graphile_worker.jobs where key = any(${sql.param(keys)})`)
      return new Map<string, Tries>(rows.map((row) => [row.key, row]))
    },

    /**
     * Releases jobs of servers that died. Jobs of living servers, and of the asking one, stay
     * theirs however long they run. (The library releases any job after four hours.)
     */
    async releaseAbandoned({ asker }: { asker: string }) {
      await db.execute(sql`select graphile_worker.force_unlock_workers(array(
        select server from (select distinct locked_by server from graphile_worker.jobs where locked_by <> ${asker}) at_work
        where ${hasDied(sql`server`)}))`)
    },

    /** Whether a job (of these kinds, if given) is due that has not failed yet. */
    async isBusy(names?: readonly (keyof JobPayloads)[]) {
      const isMeant = names ? sql`task_identifier = any(${sql.param(names)})` : sql`true`
      const { rows } = await db.execute(
        sql`select from graphile_worker.jobs where last_error is null and run_at <= now() and ${isMeant} limit 1`,
      )
      return rows.length > 0
    },
  }
}
