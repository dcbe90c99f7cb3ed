import { aDatabase } from '../../../tests/database.ts'
import { openDatabase } from '../../sql/database.ts'
import { openStore } from '../../store/store.ts'
import { openBuiltInIdentity } from './built-in.ts'
import { identityContract } from '../../../tests/contracts/identity.ts'

identityContract('the built-in provider', async () => {
  const { pool } = await aDatabase()
  const store = openStore(openDatabase(pool))
  return {
    store,
    identity: openBuiltInIdentity({ store, isBreached: async () => false }),
    async disable(uid) {
      await pool.query('update users set disabled = true where id = $1', [uid])
    },
  }
})
