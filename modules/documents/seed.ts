import type { Seed } from '../../server/core/modules.ts'

const examples = [
  ['How we decide', 'Whoever does the work decides.\nAsk those whom it touches first.'],
  ['Site rules', 'Helmets from the gate on.\nNobody works above the water alone.'],
  ['Opening weekend', 'Saturday: neighbours, 10 to 14.\nSunday: everyone, with music.'],
  ['Paint', 'Rail: RAL 6005, two coats.\nLamps: as they are.'],
  ['Minutes, week 12', 'The crane comes on Tuesday.\nGrace orders the bearings.'],
]

export const seed: Seed = async ({ subscriptionId, editors }) => {
  const [first] = editors
  if ((await first!('listDocuments', { subscriptionId })).total > 0) return
  for (const [index, [title = '', text = '']] of examples.entries())
    await editors[index % editors.length]!('createDocument', { subscriptionId, title, text })
}
