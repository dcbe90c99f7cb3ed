import { createSchema as migrateSandbox } from '@atrium/sandbox/schema'
import { migrateQueue } from '../jobs/migrate-queue.ts'
import { StartError } from '../platform/start-error.ts'
import { onOwnConnection } from '../store/change-schema.ts'
import { grantRights } from '../store/grant.ts'
import { migrateDatabase } from '../store/migrate.ts'
import { runOn, type Place } from './run-tool.ts'

/**
 * Applies what servers would apply when they start, and gives a role the rights of a server.
 * Returns the text to print.
 */
export async function migrate({ connection, env, log }: Place, args: string[]) {
  const role = readRole(args)
  const { applied, schema } = await migrateDatabase(connection, log)
  await migrateQueue(connection, log)
  if (!env.stripe) await onOwnConnection(connection, log, migrateSandbox)
  if (role !== undefined) await grantRights(connection, log, role)
  const done =
    applied.length > 0
      ? `Applied ${applied.join(', ')}.`
      : `The database is up to date: schema ${schema}.`
  return role === undefined ? done : `${done}\n${role} has the rights that a server needs.`
}

function readRole([option, role, ...rest]: string[]) {
  if (option === undefined) return undefined
  if (option === '--grant' && role && rest.length === 0) return role
  throw new StartError('Usage: npm run migrate, or npm run migrate -- --grant ROLE')
}

if (import.meta.main) await runOn(migrate)
