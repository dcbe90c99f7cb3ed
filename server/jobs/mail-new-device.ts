import { mailSecurityNotice } from '../action-codes.ts'
import type { Services } from '../services.ts'
import type { JobPayloads } from './jobs.ts'

export async function mailNewDevice({ userId, ...device }: JobPayloads['mailNewDevice'], services: Services) {
  await services.transaction(async (services) => {
    const user = await services.store.users.find(userId)
    if (user) await mailSecurityNotice(user, { kind: 'newDevice', ...device }, services)
  })
}
