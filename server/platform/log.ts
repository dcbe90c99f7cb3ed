import { DrizzleQueryError } from 'drizzle-orm'
import pg from 'pg'
import { pino, type DestinationStream, type Logger } from 'pino'
import { pseudonym, type KeyedHash } from './keyed-hash.ts'
import { shownLines } from './terminal.ts'

/** Writes JSON lines. Never log a body, a header or a database value, which hold secrets. */
export function openLogger(level: string, destination: DestinationStream = gatheredLines()) {
  const hooks = { streamWrite: shownLines }
  return pino({ level, serializers: { err: describe }, hooks }, destination)
}

/** Each write costs a call some 5 % of its time, so lines wait for others, at most 100 ms. */
function gatheredLines() {
  return pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 100 })
}

/** Adds a hash of the caller, or of the account tried, to all further log lines of the request. */
export function logAs(
  name: 'user' | 'account',
  value: string,
  { log, keyedHash }: { log: Logger; keyedHash: KeyedHash },
) {
  log.setBindings({ [name]: pseudonym(keyedHash, value) })
}

/** Leaves out a failed query's values, which are in the error's message, stack and details. */
function describe(error: unknown) {
  const isDrizzle = error instanceof DrizzleQueryError
  const cause = isDrizzle ? error.cause : error
  if (isDrizzle || cause instanceof pg.DatabaseError) {
    const { code, table, constraint, message } = (cause ?? {}) as Record<string, unknown>
    const query = isDrizzle ? error.query : undefined
    return {
      type: (error as Error).constructor.name,
      query,
      code,
      table,
      constraint,
      message,
      stack: framesOf(error as Error),
    }
  }
  return pino.stdSerializers.err(error as Error)
}

function framesOf({ stack = '' }: Error) {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')
}
