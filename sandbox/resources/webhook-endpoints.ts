import { z } from 'zod'
import { reading } from '../api/pages.ts'
import { clearable, flag, list, mergedMetadata, metadata, text } from '../api/params.ts'
import { route } from '../api/route.ts'
import { newObject, randomLetters } from '../objects/new-object.ts'
import { remove, save, lockObject } from '../store/objects.ts'

const optional = { description: clearable(text).optional(), metadata }
const enabledEvents = list(z.string().regex(/^(\*|[a-z0-9_]+(\.[a-z0-9_]+)+)$/)).pipe(
  z.array(z.string()).min(1),
)
const version = z.string().regex(/^\d{4}-\d{2}-\d{2}(\.[a-z]+)?$/)
const url = z.url({ protocol: /^https?$/ })

const fields = {
  ...optional,
  api_version: version.optional(),
  enabled_events: enabledEvents,
  url,
}
const changes = {
  ...optional,
  disabled: flag.optional(),
  enabled_events: enabledEvents.optional(),
  url: url.optional(),
}

/** Webhook endpoints are only stored: webhooks go to the receiver that `openSandbox` was given. */
export const webhookEndpoints = [
  route('POST', '/webhook_endpoints', fields, async ({ tx, input }) => {
    const { api_version = null, description = null, ...given } = input
    const notes = mergedMetadata({}, given.metadata)
    const endpoint = await save(tx, {
      ...newObject('webhook_endpoint', 'we', tx.now),
      application: null,
      status: 'enabled',
      ...given,
      api_version,
      description,
      metadata: notes,
    })
    // Only this answer contains the secret.
    return { ...endpoint, secret: `whsec_${randomLetters(32)}` }
  }),
  ...reading('webhook_endpoint', '/webhook_endpoints'),
  route('POST', '/webhook_endpoints/:id', changes, async ({ tx, id, input }) => {
    const { disabled, metadata: notes, ...given } = input
    const endpoint = await lockObject(tx, 'webhook_endpoint', id)
    const status = disabled === undefined ? endpoint.status : disabled ? 'disabled' : 'enabled'
    const metadata = mergedMetadata(endpoint.metadata, notes)
    return save(tx, { ...endpoint, ...given, metadata, status })
  }),
  route('DELETE', '/webhook_endpoints/:id', {}, async ({ tx, id }) =>
    remove(tx, await lockObject(tx, 'webhook_endpoint', id)),
  ),
]
