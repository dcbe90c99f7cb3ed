import { mailPasswordReset } from './action-codes.ts'
import type { Services } from '../core/services.ts'
import type { JobPayloads } from '../core/jobs.ts'

export async function mailReset({ email }: JobPayloads['mailPasswordReset'], services: Services) {
  await services.transaction(async (services) => {
    const user = await services.store.users.findByEmail(email)
    // Of somebody who goes at the same moment there is nothing to reset.
    if (user && (await services.store.users.hold(user.id))) await mailPasswordReset(user, services)
  })
}
