import type { Failure } from './failure.ts'
import { reasonOf } from './failure.ts'

/** A request that the provider has answered, or not. Nothing of what was asked for is in it. */
export type ProviderRequest = Failure & {
  operation: string
  outcome: 'ok' | 'declined' | 'refused' | 'unavailable' | 'unauthorized'
  /** The provider's name of the request, for its log. */
  requestId?: string | undefined
  /** What it means to the product, unless it is well. */
  reason?: ReturnType<typeof reasonOf>
  milliseconds: number
}

/** `fetch` that tells what became of each request, and names the operation in errors. */
export function watched(
  send: typeof fetch,
  tell: (request: ProviderRequest) => void,
): typeof fetch {
  return async (input, init) => {
    const operation = operationOf(
      init?.method ?? 'GET',
      new URL(input instanceof Request ? input.url : input).pathname,
    )
    const began = performance.now()
    const told = (failure: Failure | undefined, requestId?: string | null) =>
      tell({
        ...failure,
        operation,
        ...(failure
          ? { outcome: outcomeOf(failure), reason: reasonOf({ ...failure, operation }) }
          : { outcome: 'ok' }),
        requestId: requestId ?? undefined,
        milliseconds: performance.now() - began,
      })
    try {
      const response = await send(input, init)
      if (response.ok) {
        told(undefined)
        return response
      }
      const body = withOperation(await response.text(), operation)
      told({ ...errorOf(body), status: response.status }, response.headers.get('request-id'))
      return new Response(body, { status: response.status, headers: response.headers })
    } catch (error) {
      told({ type: error instanceof Error ? error.name : typeof error })
      throw error
    }
  }
}

/** Ids stand at every second place, and are given by people: as labels of a metric they would never end. */
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

type Body = { error?: Failure }

function errorOf(body: string): Failure {
  const { type, code, param } = (parsed(body) ?? {}).error ?? {}
  return { type, code, param }
}

/** The SDK takes whatever has no `error` for an answer, and a proxy in between may say anything. */
function withOperation(body: string, operation: string) {
  const { error = { type: 'api_error' } } = parsed(body) ?? {}
  return JSON.stringify({ error: { ...error, operation } })
}

function parsed(body: string): Body | undefined {
  try {
    return JSON.parse(body) as Body
  } catch {
    return undefined
  }
}
