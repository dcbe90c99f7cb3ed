import type { Ask, Examples } from '../../server/core/modules.ts'

const texts = [
  ['How we decide', 'Whoever does the work decides.\nAsk those whom it touches first.'],
  ['Site rules', 'Helmets from the gate on.\nNobody works above the water alone.'],
  ['Opening weekend', 'Saturday: neighbours, 10 to 14.\nSunday: everyone, with music.'],
  ['Minutes, week 12', 'The crane comes on Tuesday.\nGrace orders the bearings.'],
]

export const seed: Examples['seed'] = async (subscriptionId, editors) => {
  if ((await editors[0]!('listDocuments', { subscriptionId })).total > 0) return
  for (const [index, [title = '', text = '']] of texts.entries())
    await editors[index % editors.length]!('createDocument', { subscriptionId, title, text })
}

export const inputs: Examples['inputs'] = {
  getDocument: aDocument,
  updateDocument: async (...by) => ({ ...(await aDocument(...by)), title: 'Paint', text: 'Red' }),
  deleteDocument: aDocument,
}

async function aDocument(ask: Ask, subscriptionId: string) {
  const paint = { subscriptionId, title: 'Paint', text: '' }
  return { subscriptionId, ...(await ask('createDocument', paint)) }
}
