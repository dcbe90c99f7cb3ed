import { hash } from 'node:crypto'
import type { Runner, Tx } from '../store/tx.ts'
import { faults, idempotency } from '../rules/refusals.ts'
import { failure, filled, invalid, StripeFailure } from '../rules/errors.ts'

export type Answer = { status: number; body: object; firstRequest?: string }
type Kept = { fingerprint: string; request: string; status: number; body: object }

/** An idempotency key, the kind of API key beside it, and the request's path and parameters. */
type Keyed = { key: string; kind: string; path: string; form: object }

/** Repeats the answer to the first request with a key for a day. Refuses others while it runs. */
export async function answerOnce(
  tx: Tx,
  keyed: Keyed,
  work: () => Promise<Answer>,
): Promise<Answer> {
  if (keyed.key.length > idempotency.longest)
    throw invalid(`Idempotency keys may have up to ${idempotency.longest} characters.`)
  const key = `${keyed.kind} ${keyed.key}`
  const { rows } = await tx.query<{ free: boolean }>(
    'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as free',
    [`sandbox ${key}`],
  )
  if (!rows[0]?.free) throw failure(faults[409])
  const fingerprint = `${keyed.path} ${hash('sha256', JSON.stringify(keyed.form))}`
  const { rowCount } = await tx.query(
    `insert into sandbox.idempotency_keys (key, fingerprint, request) values ($1, $2, $3)
     on conflict (key) do update set fingerprint = excluded.fingerprint, request = excluded.request, status = null, created = now()
     where idempotency_keys.created < now() - interval '${idempotency.hours} hours'`,
    [key, fingerprint, tx.request.id],
  )
  if (!rowCount) return again(tx, key, keyed, fingerprint)
  const answer = await work()
  await tx.query('update sandbox.idempotency_keys set status = $2, body = $3 where key = $1', [
    key,
    answer.status,
    JSON.stringify(answer.body),
  ])
  return answer
}

async function again(
  tx: Tx,
  keptAs: string,
  { key, path }: Keyed,
  fingerprint: string,
): Promise<Answer> {
  const { rows } = await tx.query<Kept>(
    'select fingerprint, request, status, body from sandbox.idempotency_keys where key = $1',
    [keptAs],
  )
  const kept = rows[0]
  if (kept?.fingerprint !== fingerprint) {
    const first = kept?.fingerprint.split(' ')[0] ?? path
    const { status, message } = first === path ? idempotency.otherParameters : idempotency.otherCall
    const said = filled(message, { key, path, first })
    throw new StripeFailure(status, { type: 'idempotency_error', message: said })
  }
  return { status: kept.status, body: kept.body, firstRequest: kept.request }
}

export async function forgetOldKeys(runner: Runner) {
  await runner.query(
    `delete from sandbox.idempotency_keys where created < now() - interval '${idempotency.hours} hours'`,
  )
}
