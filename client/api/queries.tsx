import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import { keepPreviousData, QueryClient, QueryClientProvider, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState, type ReactNode } from 'react'
import { call, keepFresh, untilStaying } from './call.ts'
import { CallError } from './post.ts'
import { refreshSession } from './session.ts'
import { askAgain } from './use-show-at-once.ts'

/** What was read is kept here, per signed-in user. Any change asks again for what is on screen. */
export function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(newClient)
  useEffect(() => keepFresh({ onChange: () => askAgain(client), onLeaving: () => void client.cancelQueries() }), [client])
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}

type Options = { enabled?: boolean; keepPrevious?: boolean }

/** What a reading call answers, kept fresh. */
export function useCall<Name extends CallName>(name: Name, input: CallInput<Name>, { enabled = true, keepPrevious = false }: Options = {}) {
  return useQuery({
    ...reading(name, input),
    enabled,
    ...(keepPrevious && { placeholderData: keepPreviousData }),
  })
}

/** What a reading call answers from now on, for what is not a screen; an answer that is still under way may be older. */
export function useRead() {
  const client = useQueryClient()
  return useCallback(
    async <Name extends CallName>(name: Name, input: CallInput<Name>) => {
      await client.cancelQueries({ queryKey: [name, input] })
      return client.fetchQuery({ ...reading(name, input), staleTime: 0 })
    },
    [client],
  )
}

/** Keeps what is known of the signed-in user fresh: an address can be verified on another device. */
export function useFreshUser() {
  useQuery({
    queryKey: ['refreshSession'],
    async queryFn() {
      await untilStaying()
      return refreshSession()
    },
    staleTime: 0,
  })
}

function reading<Name extends CallName>(name: Name, input: CallInput<Name>) {
  return queryOptions<CallOutput<Name>, CallError>({
    queryKey: [name, input],
    async queryFn({ signal }) {
      await untilStaying()
      return call(name, input, { signal })
    },
  })
}

function newClient() {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        refetchOnReconnect: 'always',
        retry: (failures, error) => failures < 2 && error instanceof CallError && mayPass.has(error.reason),
      },
    },
  })
}

const mayPass: ReadonlySet<string> = new Set(['network', 'unavailable', 'timeout'])
