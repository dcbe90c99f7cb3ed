import { sealOrder, type OrderWithCode } from '../mails/sealed-orders.ts'
import type { Secrets } from '../platform/secrets.ts'
import type { Store } from '../store/store.ts'

/** Seals the codes of mails that a server of a former version has ordered, perhaps just now. */
export async function sealWaiting({ queue }: Store, secrets: Secrets) {
  for (;;) {
    const found = await queue.listUnsealed()
    if (found.length === 0) return
    const seal = (payload: unknown) => sealOrder(payload as OrderWithCode, secrets)
    await queue.replaceUnsealed(found.map((job) => ({ ...job, payload: seal(job.payload) })))
  }
}
