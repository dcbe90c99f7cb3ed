import type { Secrets } from '../platform/secrets.ts'
import type { Store } from '../store/store.ts'
import type { MailOrder } from './mails.ts'

/** An order of a mail whose link lets its reader in. */
export type OrderWithCode = Extract<MailOrder, { values: { code: string } }>

export function hasCode(order: MailOrder): order is OrderWithCode {
  return 'code' in order.values
}

/** While an order waits in the database, nobody reads its code there. */
export function sealOrder(order: OrderWithCode, secrets: Pick<Secrets, 'seal'>) {
  return withCode(order, secrets.seal('mailed code', order.values.code))
}

/** Undefined if it was sealed with another key. */
export function openOrder(order: OrderWithCode, secrets: Pick<Secrets, 'open'>) {
  const code = secrets.open('mailed code', order.values.code)
  return code === undefined ? undefined : withCode(order, code)
}

/** Seals the codes of mails that a server of a former version has ordered, perhaps just now. */
export async function sealWaiting({ queue }: Store, secrets: Secrets) {
  for (;;) {
    const found = await queue.listUnsealed()
    if (found.length === 0) return
    const seal = (payload: unknown) => sealOrder(payload as OrderWithCode, secrets)
    await queue.replaceUnsealed(found.map((job) => ({ ...job, payload: seal(job.payload) })))
  }
}

function withCode(order: OrderWithCode, code: string) {
  return { ...order, values: { ...order.values, code } } as OrderWithCode
}
