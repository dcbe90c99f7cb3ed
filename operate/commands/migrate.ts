import { createSchema as migrateSandbox } from '@local/sandbox/schema'
import { onOwnConnection } from '../../server/migrate/change-schema.ts'
import { migrateDatabase } from '../../server/migrate/migrate.ts'
import { argumentsOf, runOn, type Place } from './run-tool.ts'

/** Applies what servers would apply when they start. Returns the text to print. */
export async function migrate({ connection, env, log }: Place) {
  const { applied, schema } = await migrateDatabase(connection, log)
  if (!env.stripe) await onOwnConnection(connection, log, migrateSandbox)
  return applied.length > 0
    ? `Applied ${applied.join(', ')}.`
    : `The database is up to date: schema ${schema}.`
}

if (import.meta.main) await runOn(argumentsOf('migrate'), migrate)
