import type { Reason } from '#contract/refusals.ts'
import type { Logger } from 'pino'
import type { Metrics } from '../../../platform/metrics.ts'
import { reasonOf, type Failure } from './failure.ts'

/** A request that is over. Contains nothing that was sent. */
type ProviderRequest = Failure & {
  operation: string
  outcome: 'ok' | 'declined' | 'refused' | 'unavailable' | 'unauthorized'
  /** Stripe's id for the request, for its log. */
  requestId?: string | undefined
  /** What a failure means to the product. */
  reason: Reason | undefined
  milliseconds: number
}
export type Watch = (request: ProviderRequest) => void

/**
 * Counts each request to the payment provider, and logs those that failed: as `warn` where it
 * passes by itself, as `error` where the operator has to act. What the buyer or the bank causes is
 * no line.
 */
export function watchProvider(log: Logger, metrics: Metrics | undefined): Watch {
  return (request) => {
    const provider = 'stripe'
    const { operation, outcome, milliseconds, status, type, code, requestId, reason } = request
    metrics?.observeProvider({ provider, operation, outcome }, milliseconds)
    const line = { provider, operation, status, type, code, requestId }
    // The SDK answers an idempotency error with another request.
    const passes = type === 'idempotency_error' || reason === 'paymentsUnavailable'
    // Nothing with this id is an answer, too.
    const isLookUp = code === 'resource_missing' && /^(GET|DELETE) /.test(operation)
    if (outcome === 'unauthorized')
      log.error(line, 'the payment provider does not accept our key, or what the key may do')
    else if (outcome === 'unavailable' || passes) log.warn(line, 'the payment provider failed')
    else if (reason === 'planNotForSale')
      log.error(
        line,
        'a price is missing or archived at the payment provider: run npm run stripe:setup',
      )
    else if (reason === 'paymentRejected' && !isLookUp)
      log.error(line, 'the payment provider refused a request')
  }
}

/** A `fetch` that reports each request, and adds the operation to errors. */
export function watched(send: typeof fetch, watch: Watch): typeof fetch {
  return async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    const operation = operationOf(init?.method ?? 'GET', pathname)
    const began = performance.now()
    const report = (failure: Failure | undefined, requestId?: string | null) =>
      watch({
        ...failure,
        operation,
        outcome: failure ? outcomeOf(failure) : 'ok',
        reason: failure && reasonOf({ ...failure, operation }),
        requestId: requestId ?? undefined,
        milliseconds: performance.now() - began,
      })
    try {
      const response = await send(input, init)
      const { status, headers } = response
      if (response.ok) {
        report(undefined)
        return response
      }
      // Without `error` the SDK would take the body of a proxy in between for an answer.
      const error = errorIn(await response.text()) ?? { type: 'api_error' }
      const { type, code, param } = error
      report({ type, code, param, status }, headers.get('request-id'))
      return Response.json({ error: { ...error, operation } }, { status, headers })
    } catch (error) {
      report({ type: error instanceof Error ? error.name : typeof error })
      throw error
    }
  }
}

/** Without ids, which would make endless labels of a metric. They stand at every second place. */
function operationOf(method: string, path: string) {
  const [, version, ...rest] = path.split('/')
  const steps = rest
    .slice(0, 4)
    .map((step, index) => (index % 2 === 1 && step !== 'create_preview' ? ':id' : step))
  return `${method} /${[version, ...steps].join('/')}`
}

function outcomeOf({ status }: Failure): ProviderRequest['outcome'] {
  if (status === 401 || status === 403) return 'unauthorized'
  if (status === 402) return 'declined'
  return status === 400 || status === 404 ? 'refused' : 'unavailable'
}

function errorIn(body: string): Failure | undefined {
  try {
    return (JSON.parse(body) as { error?: Failure }).error
  } catch {
    return undefined
  }
}
