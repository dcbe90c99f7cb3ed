import type { CallName, CallOutput } from '#contract/calls.ts'
import { useQueryClient } from '@tanstack/react-query'
import { ahead } from './call.ts'

/**
 * Shows a change of a project before the server has answered. Call the function it returns with
 * the outcome: `false` takes the change back.
 */
export function useShowAtOnce(subscriptionId: string) {
  const client = useQueryClient()
  return async <Name extends CallName>(
    read: Name,
    change: (known: CallOutput<Name>) => CallOutput<Name>,
  ) => {
    const filter = { queryKey: [read, { subscriptionId }] }
    // An answer under way would show the old state again.
    await client.cancelQueries(filter)
    const queries = client.getQueryCache().findAll(filter)
    const before = client.getQueriesData<CallOutput<Name>>(filter)
    for (const { queryHash } of queries) ahead.add(queryHash)
    client.setQueriesData<CallOutput<Name>>(filter, (known) => known && change(known))
    return (isDone: boolean) => {
      for (const { queryHash } of queries) ahead.delete(queryHash)
      if (!isDone) for (const [key, known] of before) client.setQueryData(key, known)
      void client.invalidateQueries(filter)
    }
  }
}
