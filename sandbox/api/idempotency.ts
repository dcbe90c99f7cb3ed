import { createHash } from 'node:crypto'
import type { Runner, Tx } from '../store/tx.ts'
import { StripeFailure } from './errors.ts'

export type Answer = { status: number; body: object; firstRequest?: string }
type Kept = { fingerprint: string; request: string; status: number; body: object }

/** The first answer to this key, again and again for a day. A second request at the same time waits for the first one's end. */
export async function answerOnce(tx: Tx, key: string, asked: string, work: () => Promise<Answer>): Promise<Answer> {
  const fingerprint = createHash('sha256').update(asked).digest('hex')
  const { rowCount } = await tx.query(
    `insert into sandbox.idempotency_keys (key, fingerprint, request) values ($1, $2, $3)
     on conflict (key) do update set fingerprint = excluded.fingerprint, request = excluded.request, status = null, created = now()
     where idempotency_keys.created < now() - interval '24 hours'`,
    [key, fingerprint, tx.request.id],
  )
  if (!rowCount) return again(tx, key, fingerprint)
  const answer = await work()
  await tx.query('update sandbox.idempotency_keys set status = $2, body = $3 where key = $1', [
    key,
    answer.status,
    JSON.stringify(answer.body),
  ])
  return answer
}

async function again(tx: Tx, key: string, fingerprint: string): Promise<Answer> {
  const { rows } = await tx.query<Kept>('select fingerprint, request, status, body from sandbox.idempotency_keys where key = $1', [key])
  const kept = rows[0]
  if (kept?.fingerprint !== fingerprint) {
    const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`
    throw new StripeFailure(400, { type: 'idempotency_error', message })
  }
  return { status: kept.status, body: kept.body, firstRequest: kept.request }
}

export async function forgetOldKeys(runner: Runner) {
  await runner.query(`delete from sandbox.idempotency_keys where created < now() - interval '24 hours'`)
}
