import { DrizzleQueryError } from 'drizzle-orm'
import { pino, type DestinationStream, type Logger } from 'pino'
import { pseudonym, type KeyedHash } from './keyed-hash.ts'

/** JSON lines. Never a body, a header or a value from the database: they hold passwords, tokens and codes. */
export function openLogger(level: string, destination?: DestinationStream) {
  return pino({ level, serializers: { err: describe } }, destination ?? pino.destination(1))
}

/** From here on every line about this request names the caller or the account that was tried. Each request has a log of its own. */
export function logAs(
  who: { user: string } | { account: string },
  { log, keyedHash }: { log: Logger; keyedHash: KeyedHash },
) {
  log.setBindings(
    Object.fromEntries(
      Object.entries(who).map(([name, value]) => [name, pseudonym(keyedHash, value)]),
    ),
  )
}

/** What a query was given is left out of its error, and of the stack, which repeats the message. */
function describe(error: unknown) {
  if (error instanceof DrizzleQueryError) {
    const { code, table, constraint, message } = (error.cause ?? {}) as {
      code?: string
      table?: string
      constraint?: string
      message?: string
    }
    return {
      type: 'DrizzleQueryError',
      query: error.query,
      code,
      table,
      constraint,
      message,
      stack: framesOf(error),
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
