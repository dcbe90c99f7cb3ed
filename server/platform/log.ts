import { DrizzleQueryError } from 'drizzle-orm'
import { pino, type DestinationStream, type Logger } from 'pino'
import { pseudonym, type KeyedHash } from './keyed-hash.ts'

/** JSON lines. Never log a body, a header or a database value: they hold passwords and tokens. */
export function openLogger(level: string, destination?: DestinationStream) {
  return pino({ level, serializers: { err: describe } }, destination ?? pino.destination(1))
}

/** Adds the caller, or the account tried, to all further lines about this request. */
export function logAs(
  name: 'user' | 'account',
  value: string,
  { log, keyedHash }: { log: Logger; keyedHash: KeyedHash },
) {
  log.setBindings({ [name]: pseudonym(keyedHash, value) })
}

/**
 * Leaves a query's parameters out of its error, and out of the stack, which repeats the message.
 */
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
