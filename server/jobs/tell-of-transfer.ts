import { projectName } from '#contract/project-name.ts'
import type { Services } from '../services.ts'
import type { JobPayloads } from './jobs.ts'

/** Mails both; the one who pays from now on learns with which card. */
export async function tellOfTransfer({ subscriptionId, from, to }: JobPayloads['tellOfTransfer'], services: Services) {
  const { store, payments } = services
  const [row, former, owner] = await Promise.all([store.billing.find(subscriptionId), store.users.find(from), store.users.find(to)])
  if (!row || !owner) return
  const cards = row.customerId ? await payments.listCards(row.customerId) : []
  const card = cards.find(({ isDefault }) => isDefault)?.card ?? null
  const project = { project: projectName(row.settings), subscriptionId }
  await services.transaction(async ({ jobs }) => {
    await jobs.add('sendMail', {
      mail: 'ownershipReceived',
      to: owner.email,
      language: owner.language,
      values: { ...project, name: owner.displayName, formerOwner: former?.displayName ?? '', card },
    })
    if (!former) return
    await jobs.add('sendMail', {
      mail: 'ownershipGiven',
      to: former.email,
      language: former.language,
      values: { ...project, name: former.displayName, newOwner: owner.displayName },
    })
  })
}
