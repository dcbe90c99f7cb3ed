import { someone } from '#contract/entities.ts'
import {
  epochSeconds,
  field,
  id,
  object,
  oneLine,
  paged,
  subscriptionId,
  timestamp,
  total,
} from '#contract/fields.ts'
import {
  activeAdmin,
  admin,
  adminTakingAway,
  exhausted,
  external,
  inProject,
  invalid,
  notFound,
  read,
  write,
} from '#contract/rows.ts'
import * as z from 'zod/mini'
import type words from './words/en.json'

declare module '#locales/keys.ts' {
  interface ModuleWords {
    webhooks: typeof words
  }
}

const text = z.string()
const webhook = object('A webhook: where a program hears of what happens in the project.', {
  id: field('The id of the webhook.', text),
  url: field('Where each event is sent, by POST.', text),
  events: field('Kinds of the activity log, or `*` alone for all.', z.array(text)),
  status: field('While it is paused, its events wait.', z.enum(['on', 'paused'])),
  paused_because: field(
    'Why the server paused it: its receiver, or its secret; else null.',
    z.nullable(z.enum(['failing', 'secretLost'])),
  ),
  waiting: field('How many events wait for their delivery.', z.int()),
  created: field('When it was made.', epochSeconds),
})
export type Webhook = z.output<typeof webhook>

const states = ['waiting', 'asked', 'delivered', 'failed'] as const
const delivery = object('An event that was sent to a webhook, or waits for it.', {
  id: field('The header `webhook-id`, the same in all tries.', text),
  event: field('The kind of the event; `test` for a test.', text),
  created: field('When it happened.', timestamp),
  state: field('It is `waiting` in its order, or `asked` for outside the order.', z.enum(states)),
  tries: field('How often it was sent.', z.int()),
  tried: field('When it was last sent; null before.', z.nullable(timestamp)),
  took: field('The milliseconds of the last try; null before.', z.nullable(z.int())),
  status: field('The HTTP status of the last answer; null without one.', z.nullable(z.int())),
  answer: field('The first kilobyte of the last answer; null without one.', z.nullable(text)),
  error: field('Why there was no answer, such as `timeout`; else null.', z.nullable(text)),
})
export type Delivery = z.output<typeof delivery>

const secretAdmin = { ...activeAdmin, secret: true } as const
const here = { subscriptionId, webhookId: field('The id of the webhook.', id) }
const line = z.string().check(z.trim(), z.minLength(1), z.maxLength(2000), oneLine)
const url = field('Where events are sent: https, without a password, at a public address.', line)
const events = field(
  'Kinds of entries about projects, billing, people and of modules, or `*` alone for all.',
  z.array(line).check(z.maxLength(100)),
)
const secret = field('The key of the signatures, which is shown once.', text)
const status = field('Pauses it, or switches it on.', z.optional(z.enum(['on', 'paused'])))
const after = field('Switched on, whether it skips an event.', z.optional(z.boolean()))
const deliveryId = field('The id of a delivery. Give it or `since`.', z.optional(id))
const since = field('From when on. Give it or `deliveryId`.', z.optional(timestamp))
const wrong = ['webhookUrlNotAllowed', 'unknownWebhookEvent']

export const calls = {
  listWebhooks: read(admin, 'Lists the webhooks of the project.', {
    input: { subscriptionId },
    answer: { webhooks: field('All of them.', z.array(webhook)) },
  }),
  createWebhook: external(secretAdmin, 'Makes a webhook.', {
    input: { subscriptionId, url, events },
    answer: { webhook, secret },
    refusals: [...wrong, 'tooManyWebhooks'],
  }),
  updateWebhook: external(activeAdmin, 'Changes a webhook. What waits is then tried at once.', {
    input: { ...here, url: z.optional(url), events: z.optional(events), status, after },
    answer: { webhook },
    refusals: [...wrong, 'webhookNotFound'],
  }),
  renewWebhookSecret: write(
    secretAdmin,
    'Gives a webhook a new secret. The former one signs along for 24 hours.',
    { input: here, answer: { secret }, refusals: ['webhookNotFound'] },
  ),
  deleteWebhook: write(adminTakingAway, 'Deletes a webhook and its deliveries.', {
    input: here,
    refusals: ['webhookNotFound'],
  }),
  listDeliveries: read(admin, 'Lists what was sent to a webhook or waits, the newest first.', {
    input: { ...here, ...paged },
    answer: { deliveries: field('Those of the page.', z.array(delivery)), total },
    refusals: ['webhookNotFound'],
  }),
  sendAgain: write(
    activeAdmin,
    'Sends a delivery once more, or all since a time, outside the order. What waits comes in it.',
    {
      input: { ...here, deliveryId, since },
      answer: { count: field('How many are sent.', z.int()) },
      refusals: ['webhookNotFound', 'deliveryNotFound'],
    },
  ),
  sendTestEvent: write(activeAdmin, 'Sends an event `test` once, outside the order.', {
    input: here,
    answer: { deliveryId: field('The id of its delivery.', text) },
    refusals: ['webhookNotFound'],
  }),
}

const event = object('What happened in a project.', {
  type: field('The kind of the event, or `test`.', text),
  timestamp: field('When it happened.', timestamp),
  data: object('What it is about.', {
    subscription_id: field('The id of the project.', text),
    actor: field('The person who did it; null if nobody did.', z.nullable(someone)),
    subject: field('The person it was done to; else null.', z.nullable(someone)),
    details: field('What changed.', z.record(text, z.union([text, z.array(text)]))),
  }),
})
const sent = 'Tells what happened, with the headers and the signature of Standard Webhooks.'
export const sends = { event: { text: sent, body: event } }

export const screens = {
  webhooks: inProject('/settings/webhooks', 'admin', {
    parent: 'settings',
    title: 'webhooks.title',
    icon: 'webhooks',
  }),
  webhook: inProject('/settings/webhook', 'admin', { parent: 'webhooks' }),
}

export const refusals = {
  webhookNotFound: notFound('There is no such webhook in the project.'),
  deliveryNotFound: notFound('There is no such delivery of the webhook.'),
  webhookUrlNotAllowed: invalid('The URL must be https and lead to a public address.'),
  unknownWebhookEvent: invalid('The events must be kinds of the activity log, or * alone.'),
  tooManyWebhooks: exhausted('The project has as many webhooks as it may have.'),
}

export const activityKinds = [
  'webhookCreated',
  'webhookChanged',
  'webhookSecretRenewed',
  'webhookDeleted',
  'webhookPaused',
] as const

export const liveNames = ['webhooks'] as const
