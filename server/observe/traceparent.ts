import type { Trace } from './observer.ts'

/** Reads the W3C header `traceparent`. Undefined if it is missing or malformed. */
export function readTraceparent(header: string | undefined): Trace | undefined {
  const [, version, traceId = '', spanId = '', flags = ''] =
    /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})/.exec(header ?? '') ?? []
  if (version === undefined || version === 'ff') return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (parseInt(flags, 16) & 1) === 1 }
}
