import { route } from '../api/route.ts'
import { newAccount } from '../objects/account.ts'

export const account = [
  route('GET', '/account', {}, async ({ tx }) => {
    const { rows } = await tx.query<{ id: string }>('select id from sandbox.account')
    return newAccount(rows[0]?.id ?? '', tx.merchant.name)
  }),
]
