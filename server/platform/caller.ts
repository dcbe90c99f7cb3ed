import { AsyncLocalStorage } from 'node:async_hooks'

/** Whose work the running code does: an account's, a network's, or, if undefined, the server's. */
const current = new AsyncLocalStorage<{ caller: string | undefined }>()

export function currentCaller() {
  return current.getStore()?.caller
}

export function asCaller<Answer>(caller: string, work: () => Answer) {
  return current.run({ caller }, work)
}

/** From now on, this is the caller of the work in progress. */
export function nameCaller(caller: string | undefined) {
  const work = current.getStore()
  if (work) work.caller = caller
}
