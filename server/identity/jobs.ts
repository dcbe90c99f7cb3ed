import { record } from '../activity/record.ts'
import type { Services, Tasks } from '../core/services.ts'
import type { User } from '../store/users.ts'
import { mailCode } from './action-codes.ts'

export const identityJobs = {
  mailPasswordReset: ({ email }, services) =>
    withUser({ email }, services, (user, services) =>
      mailCode(user, 'resetPassword', {}, services),
    ),

  mailNewDevice: ({ userId, ...device }, services) =>
    withUser({ userId }, services, (user, services) =>
      mailCode(user, 'secureAccount', { change: { kind: 'newDevice', ...device } }, services),
    ),

  recordFailedSignIn: ({ email, ...from }, services) =>
    withUser({ email }, services, (user, services) => {
      const details = { device: from.userAgent.slice(0, 200), address: from.address }
      return record('signInFailed', { to: user, details }, services)
    }),
} satisfies Partial<Tasks>

/** Runs `work` in a transaction if the user exists and is not being deleted. */
async function withUser(
  by: { email: string } | { userId: string },
  { transaction }: Services,
  work: (user: User, services: Services) => Promise<void>,
) {
  await transaction(async (services) => {
    const { users } = services.store
    const user = 'email' in by ? await users.findByEmail(by.email) : await users.find(by.userId)
    if (user && (await users.hold(user.id))) await work(user, services)
  })
}
