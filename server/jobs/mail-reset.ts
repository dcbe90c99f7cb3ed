import { mailPasswordReset } from '../action-codes.ts'
import type { Services } from '../services.ts'
import type { JobPayloads } from './jobs.ts'

export async function mailReset({ email }: JobPayloads['mailPasswordReset'], services: Services) {
  await services.transaction(async (services) => {
    const user = await services.store.users.findByEmail(email)
    if (user) await mailPasswordReset(user, services)
  })
}
