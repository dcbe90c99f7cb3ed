import { billingLimits } from '#config/limits.ts'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Account, Payments } from '../providers/payments/payments.ts'
import type { CustomerId } from '../platform/ids.ts'
import { StartError } from '../platform/start-error.ts'
import type { Store } from '../store/store.ts'

type Tools = {
  payments: Pick<Payments, 'findAccount' | 'knowsCustomer'>
  store: Store
  log: Logger
}

export type GuardedAccount = Awaited<ReturnType<typeof guardAccount>>

const name = 'payment account'

/** How many customers are looked for. One that the account knows is enough. */
const sample = 5

/**
 * Makes sure that this database belongs to the provider's account. Throws a StartError if it doesn't.
 * If the provider can't be reached, logs a warning and goes on asking.
 */
export async function guardAccount(tools: Tools) {
  const { promise: refused, resolve: refuse } = Promise.withResolvers<StartError>()
  let judging: Promise<void> | undefined

  async function ask() {
    try {
      await judge(tools)
    } catch (error) {
      if (error instanceof StartError) refuse(error)
      else judging = undefined
      throw error
    }
  }

  /** Resolves once the account is the right one. Rejects without an answer; the next caller asks again. */
  const judged = () => (judging ??= ask())

  const first = judged().catch((error: unknown) => error)
  const problem = await Promise.race([
    first,
    delay(billingLimits.accountTimeout, 'no answer in time', { ref: false }),
  ])
  if (problem instanceof StartError) throw problem
  const closing = new AbortController()
  if (problem !== undefined) {
    tools.log.warn(
      { err: problem },
      'the payment provider does not say which account this is; nothing is asked of it before it does',
    )
    void untilJudged(judged, tools.log, closing.signal)
  }
  return {
    judged,
    /** Resolves if it is another account: the server must stop. */
    refused,
    close: () => closing.abort(),
  }
}

async function untilJudged(judged: () => Promise<void>, log: Logger, signal: AbortSignal) {
  while (!signal.aborted) {
    try {
      await judged()
      return log.info(
        'the payment provider has said which account this is, and it is the right one',
      )
    } catch (error) {
      if (error instanceof StartError) return
    }
    await delay(billingLimits.accountRetry, undefined, { signal, ref: false }).catch(
      () => undefined,
    )
  }
}

async function judge({ payments, store }: Tools) {
  const account = await payments.findAccount()
  const customers = await store.billing.listCustomerIds(sample)
  const value = await store.installation.find(name)
  const kept = value === undefined ? undefined : (JSON.parse(value) as Account)
  // No row belongs to the former account.
  if (customers.length === 0) return store.installation.put(name, JSON.stringify(account))
  if (kept && isOther(kept, account)) throw anotherAccount(kept, account)
  if (kept?.id !== undefined && kept.id === account.id) return
  if (!(await knowsAny(payments, customers))) throw anotherAccount(kept, account)
  await store.installation.put(
    name,
    JSON.stringify({ ...kept, ...account, id: account.id ?? kept?.id }),
  )
}

/** False where an id is missing: then nobody knows. */
function isOther(kept: Account, account: Account) {
  return (
    kept.mode !== account.mode ||
    (kept.id !== undefined && account.id !== undefined && kept.id !== account.id)
  )
}

async function knowsAny(payments: Tools['payments'], customers: CustomerId[]) {
  for (const id of customers) if (await payments.knowsCustomer(id)) return true
  return false
}

function anotherAccount(kept: Account | undefined, account: Account) {
  const former = kept ? inWords(kept) : 'another account'
  return new StartError(
    `The projects in this database are paid for at ${former}, but the payment provider answers as ${inWords(account)}, which has none of them. Set the former keys again (none at all for the sandbox), or give this account a database of its own; see "Another account" in docs/operations.md.`,
  )
}

function inWords({ id, mode }: Account) {
  return `${id ?? 'an account'} (${mode} mode)`
}
