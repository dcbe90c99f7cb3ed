import { expect, test } from 'vitest'
import { aWorld, reasonOf } from '../world.ts'

const rounds = Number(process.env['RACE_ROUNDS'] ?? 10)

test(
  'a purchase while the account is being deleted is refused or undone, and charges nothing',
  { timeout: 900_000 },
  async () => {
    const world = await aWorld()
    for (let round = 0; round < rounds; round++) {
      const ann = await world.aPerson(`ann${round}`)
      const [bought, deleted] = await Promise.all([
        ann.pays(),
        ann.call('deleteAccount', { confirmationId: ann.uid }),
      ])
      const outcomes = [bought, deleted].map((answer) => reasonOf(answer) ?? 'done')
      expect([
        ['done', 'billingBusy'],
        ['billingBusy', 'done'],
        ['done', 'ownsActiveProjects'],
        ['sessionEnded', 'done'],
      ]).toContainEqual(outcomes)
      await world.untilWorkedOff()
      const live = []
      for await (const {
        subscriptionId,
      } of world.services.payments.listLiveProviderSubscriptions())
        live.push(subscriptionId)
      const owned = reasonOf(deleted) ? await ann.projects() : []
      expect(live.filter((id) => id === bought.result?.subscriptionId)).toEqual(
        owned.map(({ id }) => id),
      )
    }
  },
)
