import type { Observer, ProviderOutcome, Work } from '../observe/observer.ts'

/** Returns a `fetch` that lets the observer see each request. `nameOf` names its operation. */
export function watchedFetch(
  provider: string,
  { watch }: Observer,
  nameOf: (path: string) => string = (path) => path,
): typeof fetch {
  return (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    const method = init?.method ?? 'GET'
    const operation = `${method} ${nameOf(pathname)}`
    const work: Work = { kind: 'provider', provider, operation, outcome: 'unavailable' }
    return watch(work, async () => {
      const response = await fetch(input, init)
      work.outcome = outcomeOf(response.status)
      return response
    })
  }
}

function outcomeOf(status: number): ProviderOutcome {
  if (status === 401 || status === 403) return 'unauthorized'
  if (status === 429 || status >= 500) return 'unavailable'
  return status >= 400 ? 'refused' : 'ok'
}
