import { projectName } from '#contract/project-name.ts'
import type { Services } from '../core/services.ts'
import type { JobPayloads } from '../core/jobs.ts'

/** Mails both: whether a card of the former owner's stays, and by when the new one adds their own. */
export async function tellOfTransfer(
  { subscriptionId, from, to }: JobPayloads['tellOfTransfer'],
  services: Services,
) {
  const { store } = services
  const [row, former, owner] = await Promise.all([
    store.billing.find(subscriptionId),
    store.users.find(from),
    store.users.find(to),
  ])
  if (!row || !owner) return
  const card = (await store.cards.listOfOthers(subscriptionId)).find(
    ({ addedBy }) => addedBy === from,
  )
  const isPaid = row.providerSubscriptionId !== null && row.renewsAt !== null
  const renews = isPaid ? Math.floor(row.renewsAt!.getTime() / 1000) : null
  const stays = card ? { brand: card.brand, last4: card.last4 } : null
  const project = { project: projectName(row.settings), subscriptionId }
  await services.transaction(async ({ jobs }) => {
    await jobs.add('sendMail', {
      mail: 'ownershipReceived',
      to: owner.email,
      language: owner.language,
      values: {
        ...project,
        name: owner.displayName,
        formerOwner: former?.displayName ?? '',
        card: stays,
        renews,
      },
    })
    if (!former) return
    await jobs.add('sendMail', {
      mail: 'ownershipGiven',
      to: former.email,
      language: former.language,
      values: {
        ...project,
        name: former.displayName,
        newOwner: owner.displayName,
        card: stays,
        isPaid,
      },
    })
  })
}
