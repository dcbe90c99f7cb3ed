import type { Happening, Observer, Work } from './observer.ts'
import { addGauges, type Sources } from './gauges.ts'

const quick = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const slow = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20]

/** Parts of the server by the first step of a path. All other paths are pages and their files. */
const parts = new Set(['api', 'live', 'webhooks', 'invoices', 'auth', 'sandbox', 'dev'])

/** Imports prom-client here, so that servers without metrics don't load it. */
export async function openMetrics() {
  const prom = await import('prom-client')
  const registry = new prom.Registry()
  prom.collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new prom.Counter({ name, help, labelNames, registers })
  const histogram = (name: string, help: string, buckets: number[], labelNames: string[]) =>
    new prom.Histogram({ name, help, labelNames, buckets, registers })

  const requests = counter(
    'app_http_requests_total',
    'Requests by the part of the server and HTTP status.',
    ['part', 'status'],
  )
  const calls = histogram('app_call_duration_seconds', 'Calls by name and outcome.', quick, [
    'call',
    'outcome',
  ])
  const jobs = counter(
    'app_job_runs_total',
    'Runs of jobs on this server by task and outcome: ok, retried (it will be tried again) or failed (it will not).',
    ['task', 'outcome'],
  )
  const jobTimes = histogram(
    'app_job_duration_seconds',
    'Runs of jobs on this server by task and outcome.',
    slow,
    ['task', 'outcome'],
  )
  const provider = ['provider', 'operation', 'outcome']
  const providerRequests = counter(
    'app_provider_requests_total',
    'Requests to providers of payments, mail, sign-in and accounts by operation and outcome, repeated ones included.',
    provider,
  )
  const providerTimes = histogram(
    'app_provider_request_duration_seconds',
    'Requests to providers by operation and outcome.',
    slow,
    provider,
  )
  const happenings = {
    crowded: counter(
      'app_calls_refused_busy_total',
      'Calls refused before they were read, because the database is silent or too many wait for it.',
    ),
    limited: counter(
      'app_rate_limited_total',
      'Requests refused by a rate limit, by its name in config/limits.ts.',
      ['limit'],
    ),
    notice: counter('app_live_notices_total', 'Changes heard from the database.', ['what']),
    signIn: counter(
      'app_sign_ins_total',
      'Sign-ins by way (password or a sign-in provider) and outcome: ok, or why it was refused.',
      ['way', 'outcome'],
    ),
    webhook: counter(
      'app_webhooks_total',
      "The payment provider's webhooks by outcome: ok, or why it was refused.",
      ['outcome'],
    ),
  }

  // An alert sees how a number grows, so those that hardly ever do begin with 0.
  for (const outcome of ['ok', 'signature']) happenings.webhook.inc({ outcome }, 0)

  function measure(work: Work, seconds: number) {
    switch (work.kind) {
      case 'request':
        requests.inc({ part: partOf(work.route), status: String(work.status ?? 500) })
        break
      case 'call':
        calls.observe({ call: work.name, outcome: work.outcome ?? 'internal' }, seconds)
        break
      case 'job': {
        const labels = { task: work.task, outcome: work.outcome ?? 'failed' }
        jobs.inc(labels)
        jobTimes.observe(labels, seconds)
        break
      }
      case 'provider': {
        const { provider, operation, outcome = 'unavailable' } = work
        providerRequests.inc({ provider, operation, outcome })
        providerTimes.observe({ provider, operation, outcome }, seconds)
        break
      }
      case 'statement':
        break
    }
  }

  const observer: Observer = {
    async watch(work, run) {
      const began = performance.now()
      try {
        return await run()
      } finally {
        measure(work, (performance.now() - began) / 1000)
      }
    },
    count({ kind, ...labels }: Happening) {
      happenings[kind].inc(labels as Record<string, string>)
    },
  }

  return {
    observer,
    addGauges: (sources: Sources) => addGauges({ prom, registry }, sources),
    text: () => registry.metrics(),
  }
}

function partOf(route = '') {
  const step = route.split('/')[1]!
  return parts.has(step) ? step : 'page'
}
