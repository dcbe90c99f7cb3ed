import type { Attributes } from '@opentelemetry/api'
import type { Work } from './observer.ts'

type Start = {
  name: string
  kind: 'SERVER' | 'INTERNAL' | 'CONSUMER' | 'CLIENT'
  attributes: Attributes
}

/** The span of a piece of work, in OpenTelemetry's words. It has no address, id or value. */
export function describeStart(work: Work): Start {
  switch (work.kind) {
    case 'request':
      return {
        name: work.method,
        kind: 'SERVER',
        attributes: { 'http.request.method': work.method },
      }
    case 'call':
      return { name: work.name, kind: 'INTERNAL', attributes: { 'rpc.method': work.name } }
    case 'job':
      return {
        name: `process ${work.task}`,
        kind: 'CONSUMER',
        attributes: {
          'messaging.system': 'postgresql',
          'messaging.operation.type': 'process',
          'messaging.operation.name': 'process',
          'messaging.destination.name': work.task,
        },
      }
    case 'provider':
      return {
        name: `${work.provider} ${work.operation}`,
        kind: 'CLIENT',
        attributes: { 'peer.service': work.provider },
      }
    case 'statement':
      return {
        name: work.name,
        kind: 'CLIENT',
        attributes: { 'db.system.name': 'postgresql', 'db.query.summary': work.name },
      }
  }
}

/** What shows only at the end. An error is what needs somebody; a refusal is a normal answer. */
export function describeEnd(work: Work, hasThrown: boolean) {
  const { name } = describeStart(work)
  if (work.kind === 'request') {
    const { method, route = '', status = 500 } = work
    const attributes = { 'http.route': route, 'http.response.status_code': status }
    return { name: `${method} ${route}`, attributes, isError: status >= 500 }
  }
  const outcome = work.kind === 'statement' ? undefined : work.outcome
  const type = outcome ?? (hasThrown ? 'error' : 'ok')
  const attributes: Attributes = type === 'ok' ? {} : { 'error.type': type }
  return { name, attributes, isError: faults.has(type) }
}

const faults = new Set([
  'internal',
  'unavailable',
  'deadline-exceeded',
  'unauthorized',
  'retried',
  'failed',
  'error',
])
