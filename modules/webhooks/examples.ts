import type { Ask, Examples } from '../../server/core/modules.ts'

/** It leads nowhere. */
const url = 'https://hooks.invalid/'

export const inputs: Examples['inputs'] = {
  createWebhook: async (ask, subscriptionId) => {
    const { webhooks } = await ask('listWebhooks', { subscriptionId })
    for (const { id } of webhooks) await ask('deleteWebhook', { subscriptionId, webhookId: id })
    return { subscriptionId, url, events: ['*'] }
  },
  updateWebhook: async (...by) => ({ ...(await aWebhook(...by)), events: ['memberJoined'] }),
  renewWebhookSecret: aWebhook,
  deleteWebhook: aWebhook,
  listDeliveries: aWebhook,
  sendAgain: async (ask, subscriptionId) => {
    const webhook = await aWebhook(ask, subscriptionId)
    return { ...webhook, ...(await ask('sendTestEvent', webhook)) }
  },
  sendTestEvent: aWebhook,
}

async function aWebhook(ask: Ask, subscriptionId: string) {
  const { webhooks } = await ask('listWebhooks', { subscriptionId })
  const [first] = webhooks
  if (first) return { subscriptionId, webhookId: first.id }
  const { webhook } = await ask('createWebhook', { subscriptionId, url, events: ['*'] })
  return { subscriptionId, webhookId: webhook.id }
}

export const mails: Examples['mails'] = {
  'webhooks.paused': (['failing', 'secretLost'] as const).map((because) => ({
    name: 'Ann Archer',
    project: 'Bridge renewal',
    subscriptionId: 'p',
    webhookId: 'w',
    host: 'hooks.example.com',
    because,
  })),
}
