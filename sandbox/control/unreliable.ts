import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'pg'
import { failure } from '../rules/errors.ts'
import { stripeResponse } from '../api/response.ts'
import { newId } from '../objects/new-object.ts'
import { faults } from '../rules/refusals.ts'
import { readSettings, consumeFailure, type Settings } from './settings.ts'

type Answer = (request: Request) => Promise<Response>
type Fault = NonNullable<Settings['api']['fault']>

/** A `fetch` for the API that its caller can abort, with the faults and delays of the settings. */
export function unreliable(answer: Answer, pool: Pool, closing: AbortSignal) {
  async function answered(request: Request): Promise<Response> {
    const { api } = await readSettings(pool)
    // The caller may have aborted while the settings were read. Then the request must do nothing.
    request.signal.throwIfAborted()
    const fault = api.fault && (await consumeFailure(pool, 'requests')) ? api.fault : null
    const done = api.at === 'after' ? await answer(request) : undefined
    if (api.delay) await pause(api.delay, AbortSignal.any([request.signal, closing]))
    return fault ? failed(fault) : (done ?? answer(request))
  }

  return async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(url, init)
    request.signal.throwIfAborted()
    return Promise.race([answered(request), abortOf(request.signal)])
  }
}

export function brokenConnection(): TypeError {
  return new TypeError('fetch failed', {
    cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
  })
}

async function pause(milliseconds: number, signal: AbortSignal) {
  await delay(milliseconds, undefined, { signal }).catch(() => {
    throw signal.reason
  })
}

function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  )
}

function failed(fault: Fault): Response {
  if (fault === 'break') throw brokenConnection()
  const { status, body } = failure(faults[fault])
  const response = stripeResponse({ status, body: { error: body } }, newId('req'))
  if (fault === 'locked') response.headers.set('stripe-should-retry', 'true')
  return response
}
