import { record } from '../activity/record.ts'
import type { Services, Tasks } from '../core/services.ts'
import { networkOf } from '../platform/networks.ts'
import type { User } from '../store/users.ts'
import { mailCode } from './action-codes.ts'

export const identityJobs = {
  mailPasswordReset: ({ email, network, isKnown = false }, services) =>
    withUser({ email }, services, async (user, services) => {
      const { store, now } = services
      const hasLink = async () =>
        (await store.actionCodes.findNewestTime(user, 'resetPassword', now())) !== undefined
      // Whatever strangers ask for, an owner who has proved the address has a link that works.
      const isNeeded = async () => user.claimed && (isKnown || !(await hasLink()))
      const options = { isNeeded, ...(network !== undefined && { sender: network }) }
      await mailCode(user, 'resetPassword', {}, services, options)
    }),

  mailNewDevice: ({ userId, ...device }, services) =>
    withUser({ userId }, services, async (user, services) => {
      const change = { kind: 'newDevice', ...device } as const
      const sender = networkOf(device.address)
      await mailCode(user, 'secureAccount', { change }, services, { sender })
    }),

  mailWrongSecondStep: ({ userId, ...device }, services) =>
    withUser({ userId }, services, async (user, services) => {
      const change = { kind: 'wrongSecondStep', ...device } as const
      await mailCode(user, 'secureAccount', { change }, services)
    }),

  recordFailedSignIn: ({ email, ...from }, services) =>
    withUser({ email }, services, (user, services) => {
      const details = { device: from.userAgent.slice(0, 200), address: from.address }
      return record('signInFailed', { to: user, details }, services)
    }),
} satisfies Partial<Tasks>

/** Runs `work` in a transaction if the user exists, and neither they nor their address is going. */
async function withUser(
  by: { email: string } | { userId: string },
  { transaction }: Services,
  work: (user: User, services: Services) => Promise<void>,
) {
  await transaction(async (services) => {
    const { users } = services.store
    const userId = 'email' in by ? (await users.findByEmail(by.email))?.id : by.userId
    if (userId === undefined || !(await users.hold(userId))) return
    // The address may have changed while this waited for the lock.
    const user = (await users.find(userId))!
    if (!('email' in by) || user.email === by.email) await work(user, services)
  })
}
