import { recordName } from '../activity/activity.ts'
import { changeContacts } from '../billing/customer.ts'
import { handle } from '../core/handle.ts'

export const saveUser = handle(
  'saveUser',
  async ({ input: { display_name, language }, user }, services) => {
    const { store, identity, now } = services
    await store.users.update(
      user.uid,
      { ...(display_name && { displayName: display_name }), ...(language && { language }) },
      now(),
    )
    if (language) await changeContacts(user.uid, services)
    if (!display_name) return {}
    await identity.updateUser(user.uid, { displayName: display_name })
    await recordName(user, display_name, services)
    return {}
  },
)
