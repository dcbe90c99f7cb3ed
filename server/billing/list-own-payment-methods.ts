import type { OwnPaymentMethod } from '#contract/entities.ts'
import { projectName } from '#contract/project-name.ts'
import { handle } from '../core/handle.ts'
import type { Services } from '../core/services.ts'

type Added = Awaited<ReturnType<Services['store']['cards']['listOf']>>

/** Projects whose cards the provider is asked for at a time. */
const atATime = 8

export const listOwnPaymentMethods = handle('listOwnPaymentMethods', async ({ user }, services) => {
  const added = await services.store.cards.listOf(user.uid)
  const projects = [...Map.groupBy(added, ({ subscription }) => subscription.id).values()]
  const paymentMethods: OwnPaymentMethod[] = []
  for (let from = 0; from < projects.length; from += atATime) {
    const found = await Promise.all(
      projects.slice(from, from + atATime).map((added) => listIn(added, user.uid, services)),
    )
    paymentMethods.push(...found.flat())
  }
  return { paymentMethods }
})

/** Of what somebody added to one project, what the provider still has. */
async function listIn(
  added: Added,
  uid: string,
  { payments }: Services,
): Promise<OwnPaymentMethod[]> {
  const { subscription, isMember } = added[0]!
  const { id, customerId, ownerId, status, planAtProviderId, settings } = subscription
  const known = customerId === null ? [] : await payments.listCards(customerId)
  const cards = known.filter((card) => added.some((own) => own.card.id === card.id))
  return cards.map(({ id: cardId, isDefault, card }) => ({
    id: cardId,
    isDefault,
    card,
    subscription_id: id,
    subscription_name: projectName(settings),
    standing: ownerId === uid ? 'owner' : isMember ? 'member' : null,
    pays_plan: isDefault && status === 'active' && planAtProviderId !== null,
  }))
}
