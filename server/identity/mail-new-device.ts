import { mailSecurityNotice } from './action-codes.ts'
import type { Services } from '../core/services.ts'
import type { JobPayloads } from '../core/jobs.ts'

export async function mailNewDevice(
  { userId, ...device }: JobPayloads['mailNewDevice'],
  services: Services,
) {
  await services.transaction(async (services) => {
    const user = await services.store.users.find(userId)
    // Of somebody who goes at the same moment there is nothing to tell.
    if (user && (await services.store.users.hold(user.id)))
      await mailSecurityNotice(user, { kind: 'newDevice', ...device }, services)
  })
}
