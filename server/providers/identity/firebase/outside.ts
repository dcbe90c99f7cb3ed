import { AsyncLocalStorage } from 'node:async_hooks'
import { Refusal } from '../../../platform/refusal.ts'

/** What a request changes at Firebase. */
export type Changed = { uid: string; password: boolean }
type Request = { question: unknown[]; changes?: Changed; send: () => Promise<unknown> }
type Asked = Map<string, Request & { answer: PromiseSettledResult<unknown> }>

/** What Firebase has answered to the transaction that runs. */
const answered = new AsyncLocalStorage<Asked>()

/** Ends a transaction that needs Firebase's answer to go on. */
class Unanswered extends Error {
  readonly request: Request

  constructor(request: Request) {
    super('a transaction asks Firebase')
    this.request = request
  }
}

/** How often others may change an account meanwhile. */
const most = 10

/**
 * Runs a transaction that may ask Firebase. No transaction is open while Firebase is asked: each
 * question undoes the transaction, which then begins again with the answer. If it is refused after
 * Firebase has changed an account, `undo` makes that account as our row is.
 */
export async function askOutside<Answer>(
  transaction: () => Promise<Answer>,
  undo: (changed: Changed) => Promise<unknown>,
): Promise<Answer> {
  const asked: Asked = new Map()
  for (;;)
    try {
      return await answered.run(asked, transaction)
    } catch (error) {
      const request = error instanceof Unanswered && asked.size < most ? error.request : undefined
      if (request) {
        const [answer] = await Promise.allSettled([request.send()])
        asked.set(keyOf(request), { ...request, answer })
        continue
      }
      for (const { changes, answer } of asked.values())
        if (changes && answer.status === 'fulfilled') await undo(changes)
      throw error instanceof Unanswered ? new Refusal('unavailable') : error
    }
}

/**
 * Sends a request to Firebase. In a transaction, gives the answer that it has already. `question`
 * holds all that the request depends on, so that it is asked again when others change that.
 */
export async function ask(request: Request): Promise<unknown> {
  const asked = answered.getStore()
  if (!asked) return request.send()
  const known = asked.get(keyOf(request))
  if (!known) throw new Unanswered(request)
  if (known.answer.status === 'rejected') throw known.answer.reason
  return known.answer.value
}

function keyOf({ question }: Request) {
  return JSON.stringify(question)
}
