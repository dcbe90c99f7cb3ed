import { slug } from '#contract/slug.ts'
import { Webhook } from 'standardwebhooks'
import { hasPresentKey } from '../../server/core/secret-key.ts'
import type { Services } from '../../server/core/services.ts'
import { after } from '../../server/platform/time.ts'
import { limits } from './limits.ts'
import type { Line, Message, Over, Result } from './lines.ts'
import { openSender } from './send.ts'
import { targetOf } from './target.ts'

/**
 * Sends what waits in a line, one after the other, until one fails, and what is asked for besides.
 * Ends after a while or once `isStopped`, so that what became of it is written down.
 */
export async function deliver(
  line: Line,
  services: Services,
  isStopped: () => boolean,
): Promise<Over> {
  const { store, secrets, now, allowPrivateWebhooks } = services
  const { id, failures, retryAt, waiting, asked } = line
  const results: Result[] = []
  const over = { id, failures, retryAt, results }
  const signers = signersOf(line, services)
  if (!signers && (await hasPresentKey(secrets, store))) return { ...over, pause: 'secretLost' }
  // Another server can open it.
  if (!signers) return { ...over, retryAt: after(now(), limits.retries[0]) }
  using sender = openSender(targetOf(line.url, allowPrivateWebhooks))
  const end = performance.now() + limits.together

  async function sendAll(messages: Message[], { toTheEnd }: { toTheEnd: boolean }) {
    for (const message of messages) {
      const sent = await sender.send(...signed(message, line, signers!))
      results.push({ ...sent, id: message.id, triedAt: now() })
      if (!sent.ok && !toTheEnd) return false
      if (isStopped() || performance.now() > end) break
    }
    return true
  }

  const [isAccepted] = await Promise.all([
    sendAll(waiting, { toTheEnd: false }),
    sendAll(asked, { toTheEnd: true }),
  ])
  if (waiting.length === 0) return over
  if (isAccepted) return { ...over, failures: 0, retryAt: null }
  const pause = limits.retries[failures]
  if (pause !== undefined) return { ...over, failures: failures + 1, retryAt: after(now(), pause) }
  return { ...over, failures: 0, retryAt: null, pause: 'failing' }
}

function signed(message: Message, { subscriptionId }: Line, signers: Webhook[]) {
  const { id, event: type, at, actor, subject, details } = message
  const data = { subscription_id: subscriptionId, actor, subject, details }
  const body = JSON.stringify({ type, timestamp: new Date(at).toISOString(), data })
  // Receivers compare it with the true time.
  const time = new Date()
  const headers = {
    'content-type': 'application/json',
    'user-agent': `${slug}-webhooks`,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(time.getTime() / 1000)),
    'webhook-signature': signers.map((signer) => signer.sign(id, time, body)).join(' '),
  }
  return [body, headers] as const
}

/** For the present secret and one that was renewed lately; undefined if the present one is lost. */
function signersOf({ secret, formerSecret, formerUntil }: Line, { secrets, now }: Services) {
  const isFormer = formerUntil !== null && formerUntil > now()
  const sealed = isFormer ? [secret, formerSecret!] : [secret]
  const [present, former] = sealed.map((secret) => secrets.open('webhook', secret))
  if (present === undefined) return undefined
  return [present, ...(former === undefined ? [] : [former])].map((key) => new Webhook(key))
}
