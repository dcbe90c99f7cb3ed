import { email as emailField } from '#contract/fields.ts'
import { openKeyedHash, pseudonym } from '../../server/platform/keyed-hash.ts'
import { parseAddress } from '../../server/platform/networks.ts'
import { onOwnConnection } from '../../server/migrate/change-schema.ts'
import { openDatabase, type Db } from '../../server/sql/database.ts'
import { argumentsOf, runOn } from './run-tool.ts'
import { newToken } from '../../server/platform/ids.ts'
import { openStore } from '../../server/store/store.ts'

/** The hashes that replace an e-mail address, a network address or a user's id in the log. */
export async function trace(db: Db, who: string) {
  const { installation, users } = openStore(db)
  const keyedHash = openKeyedHash(await installation.keepOnce('hash key', newToken))
  const email = emailField.safeParse(who).data
  const address = parseAddress(who)
  if (address !== undefined) return `"address":"${pseudonym(keyedHash, address)}"`
  if (email === undefined) return `"user":"${pseudonym(keyedHash, who)}"`
  const user = await users.findByEmail(email)
  return [
    `"account":"${pseudonym(keyedHash, email)}"`,
    ...(user ? [`"user":"${pseudonym(keyedHash, user.id)}"`] : []),
  ].join('\n')
}

if (import.meta.main)
  await runOn(argumentsOf('trace'), ({ connection, log }, { words: [who] }) =>
    onOwnConnection(connection, log, (client) => trace(openDatabase(client), who!)),
  )
