import pg from 'pg'
import { StartError } from '../../server/platform/start-error.ts'

/** Says in one sentence what the database refused. `outcome` says what is left of the work. */
export function inPlainWords(error: unknown, outcome: string) {
  const { code = '', message } = error as NodeJS.ErrnoException
  if (code === '42501')
    return new StartError(
      `The role of DATABASE_URL lacks a right: ${message}. Use the role that owns the tables. ${outcome}`,
    )
  const isLost = code.startsWith('ECONN') || message.startsWith('Connection terminated')
  if (error instanceof pg.DatabaseError || isLost)
    return new StartError(`The database failed: ${message}. ${outcome}`)
  return error
}
