import { createSchema as migrateSandbox } from '@atrium/sandbox/schema'
import { migrateQueue } from '../../server/jobs/migrate-queue.ts'
import { onOwnConnection } from '../../server/migrate/change-schema.ts'
import { grantRights } from '../../server/migrate/grant.ts'
import { migrateDatabase } from '../../server/migrate/migrate.ts'
import { argumentsOf, runOn, type Place } from './run-tool.ts'

/**
 * Applies what servers would apply when they start, and gives a role the rights of a server.
 * Returns the text to print.
 */
export async function migrate({ connection, env, log }: Place, role: string | undefined) {
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

if (import.meta.main)
  await runOn(argumentsOf('migrate'), (place, { values }) => migrate(place, values['grant']))
