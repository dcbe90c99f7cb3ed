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

const name = 'payment account'

/** How many customers the check looks for in the account. Finding one of them is enough. */
const sample = 5

/** Refuses a database of another account with a StartError. Without an answer, asks again later. */
export async function guardAccount(tools: Tools) {
  const { log } = tools
  const { promise: refused, resolve: refuse } = Promise.withResolvers<StartError>()
  const closing = new AbortController()
  let checking: Promise<void> | undefined

  /** Resolves once the provider confirms the account. After a failure, the next call asks again. */
  function checked() {
    return (checking ??= check(tools).catch((error: unknown) => {
      if (error instanceof StartError) refuse(error)
      else checking = undefined
      throw error
    }))
  }

  async function askUntilChecked() {
    while (!closing.signal.aborted) {
      const problem = await problemOf(checked())
      if (problem === undefined)
        log.info('the payment provider has said which account this is, and it is the right one')
      if (problem === undefined || problem instanceof StartError) return
      const options = { signal: closing.signal, ref: false }
      await delay(billingLimits.accountRetry, undefined, options).catch(() => undefined)
    }
  }

  const late = delay(billingLimits.accountTimeout, 'no answer in time', { ref: false })
  const problem = await Promise.race([problemOf(checked()), late])
  if (problem instanceof StartError) throw problem
  if (problem !== undefined) {
    log.warn(
      { err: problem },
      'the payment provider does not say which account this is; nothing is asked of it before it does',
    )
    void askUntilChecked()
  }
  return {
    checked,
    /** Resolves with the error if the account is another one. The server must stop then. */
    refused,
    close: () => closing.abort(),
  }
}

async function problemOf(work: Promise<void>): Promise<unknown> {
  return work.catch((error: unknown) => error)
}

async function check({ payments, store: { billing, installation } }: Tools) {
  const [account, customers, value] = await Promise.all([
    payments.findAccount(),
    billing.listCustomerIds(sample),
    installation.find(name),
  ])
  const kept = value === undefined ? undefined : (JSON.parse(value) as Account)
  // Without customers, no row depends on the former account.
  if (customers.length === 0) return installation.put(name, JSON.stringify(account))
  if (kept && isOther(kept, account)) throw anotherAccount(kept, account)
  if (kept?.id !== undefined && kept.id === account.id) return
  if (!(await knowsAny(payments, customers))) throw anotherAccount(kept, account)
  const id = account.id ?? kept?.id
  await installation.put(name, JSON.stringify({ ...kept, ...account, id }))
}

/** Whether two accounts differ for certain. A missing id proves nothing. */
function isOther(kept: Account, { id, mode }: Account) {
  const hasOtherId = kept.id !== undefined && id !== undefined && kept.id !== id
  return kept.mode !== mode || hasOtherId
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
