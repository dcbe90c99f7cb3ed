import type { CallName, CallOutput } from '#contract/calls.ts'
import { useQueryClient } from '@tanstack/react-query'

/** Shows a change of a project in what has been read of it before the server has answered, and gives what puts it back as it was. */
export function useShowAtOnce(subscriptionId: string) {
  const client = useQueryClient()
  return async <Name extends CallName>(read: Name, change: (known: CallOutput<Name>) => CallOutput<Name>) => {
    const filter = { queryKey: [read, { subscriptionId }] }
    // An answer that is on its way would show the old state again.
    await client.cancelQueries(filter)
    const before = client.getQueriesData<CallOutput<Name>>(filter)
    client.setQueriesData<CallOutput<Name>>(filter, (known) => known && change(known))
    return () => {
      for (const [key, known] of before) client.setQueryData(key, known)
    }
  }
}
