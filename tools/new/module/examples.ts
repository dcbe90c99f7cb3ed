import type { Ask, Examples } from '../../server/core/modules.ts'

export const seed: Examples['seed'] = async (subscriptionId, editors) => {
  if ((await editors[0]!('listGadgets', { subscriptionId })).total > 0) return
  for (const [index, name] of ['First', 'Second', 'Third'].entries())
    await editors[index % editors.length]!('createGadget', { subscriptionId, name, note: '' })
}

export const inputs: Examples['inputs'] = {
  getGadget: one,
  updateGadget: async (...by) => ({ ...(await one(...by)), name: 'Changed', note: '' }),
  deleteGadget: one,
}

async function one(ask: Ask, subscriptionId: string) {
  const content = { subscriptionId, name: 'Example', note: '' }
  return { subscriptionId, ...(await ask('createGadget', content)) }
}
