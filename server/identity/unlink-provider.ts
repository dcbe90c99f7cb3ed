import { person, record } from '../activity/activity.ts'
import { rememberDevice } from './devices.ts'
import { handle } from '../core/handle.ts'
import { Refusal } from '../platform/refusal.ts'

export const unlinkProvider = handle(
  'unlinkProvider',
  async ({ input: { provider }, user, visit }, services) => {
    const { store, identity, signInProviders } = services
    // A sign-in with the provider that is under way leaves no session.
    const row = await store.users.renewCredentials(user.uid)
    if (!row) throw new Refusal('sessionEnded')
    const links = await store.providerLinks.listOf(user.uid)
    if (!links.some((link) => link.provider === provider))
      throw new Refusal('auth/no-such-provider')
    // A link to a provider that is not offered any more lets nobody in.
    const others = links.filter(
      (link) => link.provider !== provider && signInProviders.has(link.provider),
    )
    if (others.length === 0 && !(await identity.hasPassword(user.uid)))
      throw new Refusal('auth/last-credential')
    await store.providerLinks.remove(user.uid, provider)
    await record('providerUnlinked', { by: person(user), details: { provider } }, services)
    rememberDevice(row, visit, services)
    return {}
  },
)
