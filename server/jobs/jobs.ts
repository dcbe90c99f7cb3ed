import { sql } from 'drizzle-orm'
import type { Db } from '../store/database.ts'
import type { MailOrder } from '../mails/mails.ts'

/** Every kind of job, with what it is told. */
export type JobPayloads = {
  sendMail: MailOrder
  workOnEvent: { eventId: string }
  /** The provider's customer is known by the present owner's address. */
  followOwner: { subscriptionId: string }
  tellOfTransfer: { subscriptionId: string; from: string; to: string }
}

export type Jobs = ReturnType<typeof openJobs>

/** The waits between tries grow; the last is some two days after the first. */
const maxAttempts = 12

/** Jobs added here are part of the caller's transaction: rolled back, they never were. */
export function openJobs(db: Db) {
  return {
    async add<Name extends keyof JobPayloads>(name: Name, payload: JobPayloads[Name]) {
      await db.execute(
        sql`select graphile_worker.add_job(${name}, payload => ${JSON.stringify(payload)}::json, max_attempts => ${maxAttempts})`,
      )
    },

    /**
     * Gives jobs back that a server took and then died with. Nothing here works on a job for minutes; the queue itself would wait hours.
     */
    async releaseAbandoned({ takenBefore }: { takenBefore: Date }) {
      await db.execute(sql`select graphile_worker.force_unlock_workers(array(
        select distinct locked_by from graphile_worker.jobs where locked_at < ${takenBefore}))`)
    },

    /** Whether a job, of this kind or any, is due that has not failed yet. */
    async isBusy(name?: keyof JobPayloads) {
      const { rows } = await db.execute(sql`select from graphile_worker.jobs where last_error is null and run_at <= now()
          and (${name ?? null}::text is null or task_identifier = ${name ?? null}) limit 1`)
      return rows.length > 0
    },
  }
}
