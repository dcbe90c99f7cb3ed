import type { Reason } from '#contract/refusals.ts'
import type { Logger } from 'pino'
import type { Observer, ProviderOutcome, Work } from '../../../observe/observer.ts'
import { reasonOf, type Failure } from './failure.ts'

/** A finished request to the provider. Contains nothing that was sent. */
type ProviderRequest = Failure & {
  operation: string
  outcome: ProviderOutcome
  /** Stripe's id of the request, by which its log shows the request. */
  requestId?: string | undefined
  reason: Reason | undefined
  /** Without an answer, Node's code of the reason, like `ECONNREFUSED`. */
  why?: string | undefined
}
export type Report = (request: ProviderRequest) => void

const provider = 'stripe'

/**
 * The requests to which it is normal that nothing has their id: look-ups, removals, and what a job
 * writes to the customer of a purchase that was declined meanwhile.
 */
const mayBeGone = /^(GET|DELETE) |^POST \/v1\/customers\/:id$/

/** Logs failures as `warn` if they pass by themselves, as `error` if the operator has to act. */
export function reportTo(log: Logger): Report {
  return (request) => {
    const { operation, outcome, status, type, code, requestId, reason, why } = request
    const line = { provider, operation, status, type, code, requestId, why }
    // `once` answers an idempotency error with another request.
    const passes = type === 'idempotency_error' || reason === 'paymentsUnavailable'
    const isExpected = code === 'resource_missing' && mayBeGone.test(operation)
    if (outcome === 'unauthorized')
      log.error(line, 'the payment provider does not accept our key, or what the key may do')
    else if (outcome === 'unavailable' || passes) log.warn(line, 'the payment provider failed')
    else if (reason === 'planNotForSale')
      log.error(
        line,
        'a price is missing or archived at the payment provider: run npm run stripe:setup',
      )
    else if (reason === 'paymentRejected' && !isExpected)
      log.error(line, 'the payment provider refused a request')
  }
}

/** Returns a `fetch` that reports each request and adds the operation to the provider's errors. */
export function watched(
  send: typeof fetch,
  reportRequest: Report,
  { watch }: Observer,
): typeof fetch {
  return (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    const operation = operationOf(init?.method ?? 'GET', pathname)
    const work: Work = { kind: 'provider', provider, operation }
    const report = (
      failure: Failure | undefined,
      { requestId, why }: { requestId?: string | null; why?: string | undefined } = {},
    ) => {
      const outcome = failure ? outcomeOf(failure) : 'ok'
      const reason = failure && reasonOf({ ...failure, operation })
      work.outcome = outcome
      const about = { operation, outcome, reason, requestId: requestId ?? undefined, why }
      reportRequest({ ...failure, ...about })
    }
    return watch(work, async () => {
      try {
        const response = await send(input, init)
        const { status, headers } = response
        if (response.ok) {
          report(undefined)
          return response
        }
        // A body without `error` comes from a proxy. The SDK would take it for an answer.
        const error = errorIn(await response.text()) ?? { type: 'api_error' }
        const { type, code, param } = error
        report({ type, code, param, status }, { requestId: headers.get('request-id') })
        return Response.json({ error: { ...error, operation } }, { status, headers })
      } catch (error) {
        const { name: type, cause } = error as { name?: string; cause?: { code?: string } }
        report({ type }, { why: cause?.code })
        throw error
      }
    })
  }
}

/** Puts `:id` for every second part of a path, because each id would be a label of a metric. */
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
