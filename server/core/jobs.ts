import { sql } from 'drizzle-orm'
import type { MailOrder } from '../mails/mails.ts'
import { hasDied } from '../platform/presence.ts'
import type { Db } from '../store/database.ts'
import type { Services } from './services.ts'

/** Every kind of job, with what it is told. */
export type JobPayloads = {
  sendMail: MailOrder
  /** Asked for by somebody who may have no account. */
  mailPasswordReset: { email: string }
  mailNewDevice: { userId: string; userAgent: string; address: string }
  /** For an address that may have no account. */
  recordFailedSignIn: { email: string; userAgent: string; address: string }
  workOnEvent: { eventId: string }
  /** The provider's customer is known by the present owner's address and language. */
  followOwner: { subscriptionId: string }
  /** An owner's address or language has changed: the provider's customers of their projects follow. */
  updateContacts: { ownerId: string }
  /** Purchases that were begun before; left out, those that have taken long. */
  reconcile: { begunBefore?: string }
  /** Begun by somebody who has deleted their account, or ended while another had the project's turn. */
  settlePurchase: { subscriptionId: string }
  /** Of a project that came to nothing. */
  removeCustomer: { customerId: string }
  compareWithProvider: Record<string, never>
  comparePage: Comparison
  /** After a transfer: the provider may still have what is the former owner's. */
  finishHandOver: { subscriptionId: string }
  /** Of somebody who has deleted their account. */
  removeCard: { subscriptionId: string; cardId: string }
  tellOfTransfer: { subscriptionId: string; from: string; to: string }
  removeExpired: Record<string, never>
}

/** How far a comparison has come. Times are seconds of the provider's clock. */
export type Comparison = {
  step: 'events' | 'livePlans' | 'paidProjects' | 'invoices' | 'openInvoices'
  /** The last one that the step has worked through. */
  after?: string | undefined
  /** How many one job works through. */
  atOnce: number
  /** Events and invoices are looked through from then on. */
  since: number
  /** When the newest invoice was made that was seen. */
  newest: number
  /** Taken before anything was read: a project with an older one has not been heard of since. */
  ticket: number
  /** Plans at the provider that belong to no project here: how many, and the ids of some. */
  foreign: { count: number; some: string[] }
}

/** `nextAt` is missing where all tries are used up. */
export type Tries = { attempts: number; maxAttempts: number; nextAt: Date | undefined }

export type Jobs = ReturnType<typeof openJobs>

/** The waits between tries grow; the last is some two days after the first. */
const maxAttempts = 17

/** Jobs added here are part of the caller's transaction: rolled back, they never were. */
export function openJobs(db: Db) {
  return {
    /** Of jobs with the same key there is one: adding it again begins its tries anew. Those of a queue are done one after the other. */
    async add<Name extends keyof JobPayloads>(
      name: Name,
      payload: JobPayloads[Name],
      { key, queue }: { key?: string; queue?: string } = {},
    ) {
      await db.execute(sql`select graphile_worker.add_job(${name}, payload => ${JSON.stringify(payload)}::json,
        max_attempts => ${maxAttempts}, job_key => ${key ?? null}, queue_name => ${queue ?? null})`)
    },

    /** What is at work on it goes on to its end. */
    async remove(key: string) {
      await db.execute(sql`select graphile_worker.remove_job(${key})`)
    },

    /** How often the jobs of these keys were tried, by key, and when they are tried next. Those that are done are missing. */
    async mapTries(keys: string[]) {
      const { rows } = await db.execute<{
        key: string
        attempts: number
        maxAttempts: number
        nextAt: string | null
      }>(sql`
        select key, attempts, max_attempts "maxAttempts", case when attempts < max_attempts then run_at end "nextAt"
        from graphile_worker.jobs where key = any(${sql.param(keys)})`)
      return new Map<string, Tries>(
        rows.map(({ key, nextAt, ...tries }) => [
          key,
          { ...tries, nextAt: nextAt === null ? undefined : new Date(nextAt) },
        ]),
      )
    },

    /**
     * Gives back what servers took and then died with, and nothing of one that lives, however long it works on it. The server that asks lives,
     * whether its connection for that stands or not. The library gives back by itself what was taken four hours ago; that can't be set.
     */
    async releaseAbandoned({ asker }: { asker: string }) {
      await db.execute(sql`select graphile_worker.force_unlock_workers(array(
        select server from (select distinct locked_by server from graphile_worker.jobs where locked_by <> ${asker}) at_work
        where ${hasDied(sql`server`)}))`)
    },

    /** Whether a job, of these kinds or any, is due that has not failed yet. */
    async isBusy(names?: readonly (keyof JobPayloads)[]) {
      const isMeant = names ? sql`task_identifier = any(${sql.param(names)})` : sql`true`
      const { rows } = await db.execute(
        sql`select from graphile_worker.jobs where last_error is null and run_at <= now() and ${isMeant} limit 1`,
      )
      return rows.length > 0
    },
  }
}

export type Job<Name extends keyof JobPayloads> = (
  payload: JobPayloads[Name],
  services: Services,
) => Promise<void>

/** Ties a job's function to its payload. */
export function job<Name extends keyof JobPayloads>(_name: Name, run: Job<Name>): Job<Name> {
  return run
}
