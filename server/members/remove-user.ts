import { findPerson, person, record } from '../activity/activity.ts'
import { handle } from '../core/handle.ts'
import { memberToChange } from './members.ts'

export const removeUser = handle(
  'removeUser',
  async ({ input: { userId }, subscription, user }, services) => {
    memberToChange(subscription, userId)
    await services.store.members.remove(subscription.id, userId)
    await record(
      'memberRemoved',
      { by: person(user), to: await findPerson(userId, services), in: subscription.id },
      services,
    )
    return {}
  },
)
