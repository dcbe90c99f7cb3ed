import type { Runner } from '../store/tx.ts'

/** Moves the sandbox's time forward to this moment, never back. */
export async function clockTo(runner: Runner, to: number) {
  await runner.query(
    'update sandbox.settings set clock_offset = greatest(clock_offset, $1::bigint - floor(extract(epoch from clock_timestamp()))::bigint)',
    [to],
  )
}
