import type { RefusalStatus } from '#contract/refusals.ts'
import { promptly } from './time.ts'

export type Metrics = Awaited<ReturnType<typeof openMetrics>>
type ProviderRequest = { provider: string; operation: string; outcome: string }

/** Imports prom-client here, so that servers without metrics don't load it. */
export async function openMetrics(inbox: { countFailed: () => Promise<number> }) {
  const { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const calls = new Histogram({
    name: 'atrium_call_duration_seconds',
    help: 'Calls by name and outcome.',
    labelNames: ['call', 'outcome'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  const requests = new Counter({
    name: 'atrium_provider_requests_total',
    help: 'Requests to the payment provider by operation and outcome, repeated ones included.',
    labelNames: ['provider', 'operation', 'outcome'],
    registers: [registry],
  })
  const requestTimes = new Histogram({
    name: 'atrium_provider_request_duration_seconds',
    help: 'Requests to the payment provider by operation and outcome.',
    labelNames: ['provider', 'operation', 'outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
    registers: [registry],
  })
  const failed = new Gauge({
    name: 'atrium_inbox_failed',
    help: "The payment provider's events whose work has failed, and has not succeeded since; NaN while the store does not answer.",
    registers: [],
    async collect() {
      this.set(await promptly(inbox.countFailed(), NaN))
    },
  })
  registry.registerMetric(failed)
  return {
    observeCall(call: string, outcome: 'ok' | RefusalStatus, milliseconds: number) {
      calls.observe({ call, outcome }, milliseconds / 1000)
    },
    observeProvider(request: ProviderRequest, milliseconds: number) {
      requests.inc(request)
      requestTimes.observe(request, milliseconds / 1000)
    },
    text: () => registry.metrics(),
  }
}
