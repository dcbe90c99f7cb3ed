import type { Services } from '../core/services.ts'
import type { User } from '../store/users.ts'
import { endFormerAccess, unlinkAll } from './credentials.ts'
import { removeFactors } from './factors.ts'

/**
 * Anybody can sign up with an address, and anything can open the link that verifies it. An account
 * is claimed once a person has shown that both are theirs. Until then it sees no invitations. See
 * docs/decisions/016-claimed-accounts.md.
 */
export async function claim(user: User, services: Services): Promise<User> {
  if (user.claimed) return user
  const { store, identity, now } = services
  await Promise.all([
    store.users.claim({ id: user.id, now: now() }),
    store.invites.endOfMember({ userId: user.id, email: user.email, now: now() }),
    store.providerLinks.markVerifiedOf(user.id),
    identity.updateUser(user.id, { emailVerified: true }),
  ])
  return { ...user, emailVerified: true, claimed: true, rejectedAt: null }
}

/**
 * Claims the account for the owner of its address, who may not have created it: nobody else keeps
 * access or is offered its cards. Former addresses keep their ways back. The caller has locked the
 * user's row, and sets or removes the password. `keepsFactors`: the owner has passed the second step.
 */
export async function takeOver(
  user: User,
  services: Services,
  { keepsFactors = false } = {},
): Promise<User> {
  const { store, jobs, now } = services
  const { id: userId, email } = user
  const [ended, hasSecondStep] = await Promise.all([
    endFormerAccess(userId, services),
    keepsFactors ? user.hasSecondStep : removeFactors(user, services),
  ])
  const renewed = { ...ended, hasSecondStep }
  const [cards] = await Promise.all([
    store.cards.withdrawAllOf({ userId, now: now() }),
    store.actionCodes.endAllMailedTo({ userId, email, now: now() }),
    unlinkAll(user, services),
  ])
  const [claimed] = await Promise.all([
    claim(renewed, services),
    ...cards.map(({ id, subscriptionId }) =>
      jobs.add('removeCard', { subscriptionId, cardId: id }),
    ),
  ])
  return claimed
}
