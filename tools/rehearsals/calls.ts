import { calls, type CallInput, type CallName, type CallOutput } from '../../contract/calls.ts'
import { refusals, type Reason, type RefusalBody } from '../../contract/refusals.ts'
import type { CallRow } from '../../contract/rows.ts'
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Journal } from './journal.ts'

/** Who asks: each person has a network address of their own, since rate limits count by it. */
export type Caller = { address: string; token?: string }
type Answer<Name extends CallName> = { result?: CallOutput<Name>; error?: RefusalBody }
type Asked = { name: CallName; data: object; caller: Caller; key?: string | undefined }
type Tried = { answer: Answer<CallName> | undefined; wait: number }
export type Kept = { asked: Asked; answer: Answer<CallName> }

/** A call that no try got an answer to. Whether it was carried out is not known. */
export class Unanswered extends Error {}

/** Milliseconds after which a person gives up one request, longer than any limit of the product. */
const patience = 90_000

/** How a repeated call is refused if its server died after it had carried it out. */
const saysDone: Partial<Record<CallName, Reason>> = {
  changeSubscriptionPlan: 'samePlan',
  cancelSubscription: 'subscriptionCanceled',
}

export type Calls = ReturnType<typeof openCalls>

/** Makes calls until `end`, and notes each request. Calls begun before get some more tries. */
export function openCalls(url: string, journal: Journal) {
  /** Every answer that a repeated key must give again. */
  const kept: Kept[] = []
  const unanswered: string[] = []
  let endsAt = Infinity

  /** One request. Without a final answer, `wait` says after how many milliseconds to repeat it. */
  async function attempt({ name, data, caller, key }: Asked): Promise<Tried> {
    const at = Date.now()
    const headers = {
      'content-type': 'application/json',
      'x-forwarded-for': caller.address,
      ...(caller.token && { authorization: `Bearer ${caller.token}` }),
      ...(key !== undefined && { 'idempotency-key': key }),
    }
    const { status, text, after } = await send(`${url}/api/${name}`, headers, { data })
    const answer = toAnswer(text)
    const reason = answer?.error?.details?.reason
    const retryAfter = after === null ? undefined : Number(after)
    journal.attempts.push({ call: name, at, ms: Date.now() - at, status, reason, retryAfter })
    const isFinal = status === 200 || (reason !== undefined && !isPassing(reason))
    return { answer: isFinal ? answer : undefined, wait: (retryAfter ?? 1) * 1000 }
  }

  async function untilAnswered(asked: Asked) {
    const began = Date.now()
    for (let isRepeated = false; ; isRepeated = true) {
      const { answer, wait } = await attempt(asked)
      if (answer) return { answer, isRepeated }
      if (Date.now() > Math.max(began, endsAt) + patience) {
        unanswered.push(asked.name)
        throw new Unanswered()
      }
      await delay(wait)
    }
  }

  /** Makes a call as a person does who repeats it, under the same key, until it is answered. */
  async function ask<Name extends CallName>(name: Name, data: CallInput<Name>, caller: Caller) {
    const key = takesKey(calls[name]) ? randomUUID() : undefined
    const asked = { name, data, caller, key }
    const { answer, isRepeated } = await untilAnswered(asked)
    if (key !== undefined) kept.push({ asked, answer })
    const isDone = isRepeated && answer.error && answer.error.details?.reason === saysDone[name]
    return (isDone ? { result: {} } : answer) as Answer<Name>
  }

  return {
    attempt,
    ask,
    unanswered,
    stop: () => void (endsAt = Date.now()),
    isOver: () => Date.now() >= endsAt,
    /** Repeats all calls with a key. Returns those whose answer is another one now. */
    async repeatAll() {
      const changed: string[] = []
      const repeatSome = async () => {
        for (let next = kept.pop(); next; next = kept.pop()) {
          const again = (await untilAnswered(next.asked).catch(unlessUnanswered))?.answer
          if (again && !isSame(again, next.answer)) changed.push(inWords(next, again))
        }
      }
      await Promise.all(Array.from({ length: 4 }, repeatSome))
      return changed
    },
  }
}

async function send(url: string, headers: Record<string, string>, body: object) {
  const signal = AbortSignal.timeout(patience)
  try {
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal })
    const after = answer.headers.get('retry-after')
    return { status: answer.status, text: await answer.text(), after }
  } catch {
    return { status: 0, text: '', after: null }
  }
}

/** The list of unanswered calls has it already. */
function unlessUnanswered(error: unknown) {
  if (!(error instanceof Unanswered)) throw error
}

/** Undefined for an answer that is not the product's. */
function toAnswer(text: string) {
  try {
    return JSON.parse(text) as Answer<CallName>
  } catch {
    return undefined
  }
}

function takesKey({ needs, secret, effect }: CallRow) {
  return needs !== 'anyone' && !secret && effect !== 'read'
}

function isPassing(reason: Reason) {
  return refusals[reason].isPassing
}

function isSame(one: Answer<CallName>, other: Answer<CallName>) {
  if (one.error || other.error) return one.error?.details?.reason === other.error?.details?.reason
  return isDeepStrictEqual(one.result, other.result)
}

function inWords({ asked, answer }: Kept, again: Answer<CallName>) {
  return `${asked.name}: ${JSON.stringify(answer)}, then ${JSON.stringify(again)}`
}
