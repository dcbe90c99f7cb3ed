import type { Span, SpanOptions } from '@opentelemetry/api'
import type { Sampler, SpanExporter } from '@opentelemetry/sdk-trace'
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Observer, Work } from './observer.ts'
import { openQuiet } from '../platform/quiet.ts'
import { describeEnd, describeStart } from './spans.ts'

export type TracingOptions = {
  /** The base address of a receiver of OTLP over HTTP. */
  endpoint: string
  sampler: string
  /** The part that is sampled, from 0 to 1, for a sampler by ratio. */
  ratio: number
  service: { name: string; version: string }
  log: Logger
}

/** Milliseconds that a stopping server gives the receiver to take the last spans. */
const farewell = 500

/** Sends spans to a collector. Imports OpenTelemetry here, so that other servers don't load it. */
export async function openTracing({ endpoint, sampler, ratio, service, log }: TracingOptions) {
  const [api, sdk, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-proto'),
    import('@opentelemetry/resources'),
  ])
  const own = { 'service.name': service.name, 'service.version': service.version }
  const given = resources.detectResources({ detectors: [resources.envDetector] })
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` })
  const provider = new sdk.TracerProvider({
    resource: resources.resourceFromAttributes(own).merge(given),
    sampler: samplerOf(sdk, sampler, ratio),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: reporting(exporter, log) })],
  })
  const tracer = provider.getTracer(service.name, service.version)
  const current = new AsyncLocalStorage<Span>()

  function contextOf(work: Work) {
    const span = current.getStore()
    if (span) return api.trace.setSpan(api.ROOT_CONTEXT, span)
    if (work.kind !== 'request' || !work.parent) return api.ROOT_CONTEXT
    const { traceId, spanId, isSampled } = work.parent
    const parent = { traceId, spanId, traceFlags: isSampled ? 1 : 0, isRemote: true }
    return api.trace.setSpanContext(api.ROOT_CONTEXT, parent)
  }

  const observer: Observer = {
    async watch(work, run) {
      // The server asks its database many things by itself, several times a second.
      if (work.kind === 'statement' && !current.getStore()) return run()
      const { name, kind, attributes } = describeStart(work)
      const options: SpanOptions = { kind: api.SpanKind[kind], attributes }
      const span = tracer.startSpan(name, options, contextOf(work))
      const { traceId, spanId } = span.spanContext()
      work.trace = { traceId, spanId }
      let hasThrown = true
      try {
        const answer = await current.run(span, run)
        hasThrown = false
        return answer
      } finally {
        const end = describeEnd(work, hasThrown)
        span.updateName(end.name).setAttributes(end.attributes)
        if (end.isError) span.setStatus({ code: api.SpanStatusCode.ERROR })
        span.end()
      }
    },
    count: () => undefined,
  }

  return {
    observer,
    async stop() {
      await Promise.race([provider.shutdown().catch(() => undefined), delay(farewell)])
    },
  }
}

/** Logs at most once a minute that spans get lost. */
function reporting(exporter: SpanExporter, log: Logger): SpanExporter {
  const isQuiet = openQuiet()
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.error && !isQuiet())
          log.warn(
            { reason: result.error.message },
            'traces are lost: OTEL_EXPORTER_OTLP_ENDPOINT does not take them',
          )
        done(result)
      })
    },
    shutdown: async () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}

type Sdk = typeof import('@opentelemetry/sdk-trace')

/** By the names of OTEL_TRACES_SAMPLER. One that is based on its parent does as the caller does. */
function samplerOf(sdk: Sdk, name: string, ratio: number): Sampler {
  const kind = name.replace('parentbased_', '')
  const root =
    kind === 'always_on'
      ? new sdk.AlwaysOnSampler()
      : kind === 'always_off'
        ? new sdk.AlwaysOffSampler()
        : new sdk.TraceIdRatioBasedSampler(ratio)
  return kind === name ? root : new sdk.ParentBasedSampler({ root })
}
