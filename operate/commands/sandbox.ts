import { announcement, openAlone, readArguments, usage, UsageError } from '@local/sandbox/alone'
import { product } from '#config/product.ts'
import { sandboxPrices } from '../../server/billing/plans.ts'
import { listen } from '../../server/running/listen.ts'
import { standInGuard } from '../../server/dev/stand-in-guard.ts'
import { openLogger } from '../../server/platform/log.ts'
import { StartError } from '../../server/platform/start-error.ts'
import { print } from '../../server/platform/terminal.ts'
import { exitWith } from '../../server/running/announce.ts'
import { readSandboxEnv } from '../../server/running/env.ts'
import { readMark } from '../../server/running/mark.ts'
import { runUntilAsked } from '../../server/running/until-asked-to-stop.ts'
import { withRights } from '../../server/migrate/change-schema.ts'
import { openPool } from '../../server/sql/database.ts'
import { openPostgres } from '../../server/postgres/open-postgres.ts'

/** Runs `npm run sandbox`: a server with only the sandbox, this product's plans and PostgreSQL. */
async function main(args: string[]) {
  if (args.includes('--help')) return print(usage)
  const asked = readArguments(args)
  const env = readSandboxEnv(process.env, asked.publicUrl)
  const log = openLogger(env.logLevel)
  const postgres = await openPostgres({ ...env, databaseUrl: asked.databaseUrl }, log)
  const sandbox = await withRights(
    openAlone({
      asked,
      pool: openPool(postgres.connection, log),
      productName: product.name,
      mark: readMark(),
      prices: sandboxPrices,
      guard: standInGuard,
      allowSandbox: env.allowSandbox,
      listen: (app) => listen(app, { host: env.host, port: asked.port, trustedProxies: 0 }),
      log,
    }),
  ).catch(async (error: unknown) => {
    await postgres.stop()
    throw error
  })
  const notes = postgres.notes.map(named)
  print(announcement(asked, { productName: product.name, dataDir: env.dataDir, notes }))
  const stop = () => sandbox.stop().then(() => postgres.stop())
  return runUntilAsked({ lost: postgres.ended, stop, log })
}

/** Here the argument `--database` sets PostgreSQL's address. */
function named(message: string) {
  return message.replaceAll('DATABASE_URL', '--database')
}

await main(process.argv.slice(2)).catch((error: unknown) => {
  const isPlain = error instanceof StartError || error instanceof UsageError
  exitWith(isPlain ? new StartError(named(error.message)) : error)
})
