import { accountOf, findDevice } from './guessing.ts'
import { handle, type Visit } from '../core/handle.ts'
import type { Services } from '../core/services.ts'

/** Answers alike, and as soon, whether there is an account, and whether a mail is sent. */
export const sendPasswordResetEmail = handle(
  'sendPasswordResetEmail',
  async ({ input: { email }, visit }, services) => {
    if (await isWithinLimits(email, visit, services))
      await services.jobs.add('mailPasswordReset', { email })
    return {}
  },
)

async function isWithinLimits(email: string, visit: Visit, services: Services) {
  const { attempts } = services
  const account = accountOf(email, services)
  const device = await findDevice(email, visit, services)
  if (device !== undefined) return attempts.isWithin('resetByDevice', `${account} ${device}`)
  return (
    (await attempts.isWithin('resetByNetwork', visit.network)) &&
    (await attempts.isWithin('resetByAccountAndNetwork', `${account} ${visit.network}`)) &&
    attempts.isWithin('resetByAccount', account)
  )
}
