import { person, record } from '../activity/activity.ts'
import { job } from '../core/jobs.ts'
import { mailPasswordReset as mailResetTo, mailSecurityNotice } from './action-codes.ts'

export const mailPasswordReset = job('mailPasswordReset', async ({ email }, { transaction }) => {
  await transaction(async (services) => {
    const user = await services.store.users.findByEmail(email)
    // An account that is being deleted gets no mail.
    if (user && (await services.store.users.hold(user.id))) await mailResetTo(user, services)
  })
})

export const mailNewDevice = job(
  'mailNewDevice',
  async ({ userId, ...device }, { transaction }) => {
    await transaction(async (services) => {
      const user = await services.store.users.find(userId)
      // An account that is being deleted gets no mail.
      if (user && (await services.store.users.hold(user.id)))
        await mailSecurityNotice(user, { kind: 'newDevice', ...device }, services)
    })
  },
)

export const recordFailedSignIn = job(
  'recordFailedSignIn',
  async ({ email, userAgent, address }, { transaction }) => {
    await transaction(async (services) => {
      const user = await services.store.users.findByEmail(email)
      if (!user || !(await services.store.users.hold(user.id))) return
      const details = { device: userAgent.slice(0, 200), address }
      await record('signInFailed', { to: person(user), details }, services)
    })
  },
)
