import type { Logger } from 'pino'
import type { Metrics } from '../../platform/metrics.ts'
import type { ProviderRequest } from './stripe/watched.ts'

type Watch = (request: ProviderRequest) => void

/**
 * Counts every request to the payment provider, and writes a line for each that failed: `warn` where it passes by itself, `error` where
 * somebody has to do something. What the buyer, the bank or the moment is the reason of is neither.
 */
export function watchProvider(provider: string, log: Logger, metrics: Metrics | undefined): Watch {
  return (request) => {
    const { operation, outcome, milliseconds, status, type, code, requestId, reason } = request
    metrics?.observeProvider({ provider, operation, outcome }, milliseconds)
    const line = { provider, operation, status, type, code, requestId }
    if (outcome === 'unauthorized')
      log.error(line, 'the payment provider does not accept our key, or what the key may do')
    else if (outcome === 'unavailable' || isPassing(request))
      log.warn(line, 'the payment provider failed')
    else if (reason === 'planNotForSale')
      log.error(
        line,
        'a price is missing or archived at the payment provider: run npm run stripe:setup',
      )
    else if (reason === 'paymentRejected' && !isLookUp(request))
      log.error(line, 'the payment provider refused a request')
  }
}

/** A key that stands for other parameters is followed by another request. */
function isPassing({ type, reason }: ProviderRequest) {
  return type === 'idempotency_error' || reason === 'paymentsUnavailable'
}

/** That there is nothing of an id is an answer. */
function isLookUp({ code, operation }: ProviderRequest) {
  return code === 'resource_missing' && /^(GET|DELETE) /.test(operation)
}
