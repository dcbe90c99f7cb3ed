import { person, record } from '../activity/activity.ts'
import type { Services } from '../core/services.ts'
import type { JobPayloads } from '../core/jobs.ts'

export async function recordFailedSignIn(
  { email, userAgent, address }: JobPayloads['recordFailedSignIn'],
  services: Services,
) {
  await services.transaction(async (services) => {
    const user = await services.store.users.findByEmail(email)
    if (!user || !(await services.store.users.hold(user.id))) return
    await record(
      'signInFailed',
      { to: person(user), details: { device: userAgent.slice(0, 200), address } },
      services,
    )
  })
}
