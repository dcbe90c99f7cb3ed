import { record } from '../activity/record.ts'
import type { Services } from '../core/services.ts'
import type { PreparedPassword } from '../providers/identity/identity.ts'
import type { User } from '../store/users.ts'
import { mailCode } from './action-codes.ts'
import { forgetWrongSteps } from './second-step.ts'

/** Sets another password, records that, and tells the user by mail. */
export async function changePassword(user: User, password: PreparedPassword, services: Services) {
  await Promise.all([
    services.identity.updateUser(user.id, { password }),
    forgetWrongSteps(user.id, services),
    record('passwordChanged', { by: user }, services),
    mailCode(user, 'secureAccount', { change: { kind: 'passwordChanged' } }, services),
  ])
}
