import { billingLimits } from '#config/limits.ts'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Account, Payments } from '../providers/payments/payments.ts'
import { StartError } from '../platform/start-error.ts'
import type { Store } from '../store/store.ts'

type Tools = {
  payments: Pick<Payments, 'findAccount' | 'knowsCustomer'>
  store: Store
  log: Logger
}

export type GuardedAccount = Awaited<ReturnType<typeof guardAccount>>

const name = 'payment account'

/** Customers that an account is asked for; one that it knows is enough. */
const sample = 5

/**
 * Sees to it that the ids in this database are asked of the account that gave them, and of no other. Throws a StartError where that is
 * certain; where the provider gives no answer it warns and goes on asking.
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

  /** Resolves when the account is known to be the right one. Without an answer it rejects, and the next to come asks again. */
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
    /** Resolves when the account turns out to be another one: the server must not go on. */
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
    await delay(billingLimits.accountAgain, undefined, { signal, ref: false }).catch(
      () => undefined,
    )
  }
}

async function judge({ payments, store }: Tools) {
  const account = await payments.findAccount()
  const customers = await store.billing.listCustomers(sample)
  const value = await store.installation.find(name)
  const kept = value === undefined ? undefined : (JSON.parse(value) as Account)
  // Nothing of the former account is in use.
  if (customers.length === 0) return store.installation.put(name, JSON.stringify(account))
  if (kept && isOther(kept, account)) throw anotherAccount(kept, account)
  if (kept?.id !== undefined && kept.id === account.id) return
  if (!(await knowsAny(payments, customers))) throw anotherAccount(kept, account)
  await store.installation.put(
    name,
    JSON.stringify({ ...kept, ...account, id: account.id ?? kept?.id }),
  )
}

/** For certain; of one without an id nobody can say. */
function isOther(kept: Account, account: Account) {
  return (
    kept.mode !== account.mode ||
    (kept.id !== undefined && account.id !== undefined && kept.id !== account.id)
  )
}

async function knowsAny(payments: Tools['payments'], customers: string[]) {
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
