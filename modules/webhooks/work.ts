import { adminPermissions } from '#contract/access.ts'
import { projectName } from '#contract/project-name.ts'
import { record } from '../../server/activity/record.ts'
import { tell } from '../../server/core/notices.ts'
import type { Services } from '../../server/core/services.ts'
import { openQuiet } from '../../server/platform/quiet.ts'
import { after } from '../../server/platform/time.ts'
import { deliver } from './deliver.ts'
import { limits } from './limits.ts'
import * as lines from './lines.ts'
import { shorten } from './store.ts'

/**
 * Delivers what waits, many webhooks at a time, each in its order. While a receiver is slow, its line
 * is held by the server's name in its row, and by no connection and no job.
 */
export function startWork(services: Services) {
  const { db, serverId: server, now, log } = services
  const running = new Map<string, Promise<void>>()
  let over: lines.Over[] = []
  let turning: Promise<void> | undefined
  let isAwaited = false
  let isStopped = false
  const isQuiet = openQuiet()

  function look() {
    isAwaited = true
    turning ??= takeTurns()
  }

  async function takeTurns() {
    while (isAwaited) {
      isAwaited = false
      await turn().catch((err: unknown) => {
        if (!isQuiet()) log.warn({ err }, 'webhooks can not be delivered')
      })
    }
    turning = undefined
  }

  async function turn() {
    await writeDown()
    const limit = limits.atOnce - running.size
    if (isStopped || limit === 0) return
    await lines.takeIn(db, now())
    const held = [...running.keys(), ...idsOf(over)]
    const taken = await lines.claim(db, { server, held, limit, now: now() })
    for (const line of taken) running.set(line.id, run(line))
  }

  async function run(line: lines.Line) {
    try {
      const delivered = await deliver(line, services, () => isStopped)
      if (delivered.pause) await pauseWebhook(line, delivered.pause, services)
      over.push(delivered)
    } catch (err) {
      log.warn({ err, webhook: line.id }, 'a webhook could not be worked on')
      over.push({ ...line, results: [], retryAt: after(now(), limits.retries[0]) })
    }
    running.delete(line.id)
    look()
  }

  /** In one transaction, so that nobody sends again what was delivered. */
  async function writeDown() {
    const ended = [...over]
    if (ended.length > 0)
      await services.transaction(async ({ db }) => {
        const held = await lines.lock(db, server, idsOf(ended))
        const own = ended.filter(({ id }) => held.has(id))
        const results = own.flatMap(({ results }) => results)
        const long = own.filter(({ results }) => results.length >= limits.batch)
        await Promise.all([
          lines.writeResults(db, results),
          lines.release(db, own, now()),
          long.length > 0 && shorten(db, idsOf(long)),
        ])
      })
    over = over.slice(ended.length)
  }

  return {
    look,
    async stop() {
      isStopped = true
      await Promise.all(running.values())
      look()
      await turning
    },
  }
}

function idsOf(over: lines.Over[]) {
  return over.map(({ id }) => id)
}

/** Mails the project's administrators. */
async function pauseWebhook(line: lines.Line, because: lines.Because, services: Services) {
  const { id: webhookId, subscriptionId } = line
  const { host } = new URL(line.url)
  await services.transaction(async (services) => {
    const { db, store, serverId } = services
    if (!(await lines.pause(db, webhookId, because, serverId))) return
    const [subscription, admins] = await Promise.all([
      store.subscriptions.find(subscriptionId),
      store.users.listHolders(subscriptionId, adminPermissions),
      record('webhookPaused', { in: subscriptionId, details: { host } }, services),
    ])
    const project = projectName(subscription!.settings)
    const values = { project, subscriptionId, webhookId, host, because }
    for (const admin of admins)
      if (admin.claimed) await tell(admin, 'webhooks.paused', values, services)
  })
}
