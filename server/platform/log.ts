import { DrizzleQueryError } from 'drizzle-orm'
import { pino, type DestinationStream, type Logger } from 'pino'
import { pseudonym, type KeyedHash } from './keyed-hash.ts'

/** Writes JSON lines. Never log a body, a header or a database value, which hold secrets. */
export function openLogger(level: string, destination?: DestinationStream) {
  return pino({ level, serializers: { err: describe } }, destination ?? pino.destination(1))
}

/** Adds a hash of the caller, or of the account tried, to all further log lines of the request. */
export function logAs(
  name: 'user' | 'account',
  value: string,
  { log, keyedHash }: { log: Logger; keyedHash: KeyedHash },
) {
  log.setBindings({ [name]: pseudonym(keyedHash, value) })
}

/** Leaves out a failed query's parameters, which are in the error's message and its stack. */
function describe(error: unknown) {
  if (error instanceof DrizzleQueryError) {
    const { code, table, constraint, message } = (error.cause ?? {}) as Record<string, unknown>
    const reason = { code, table, constraint, message }
    return { type: 'DrizzleQueryError', query: error.query, ...reason, stack: framesOf(error) }
  }
  return pino.stdSerializers.err(error as Error)
}

function framesOf({ stack = '' }: Error) {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')
}
