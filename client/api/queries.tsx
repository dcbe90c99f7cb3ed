import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import { keepPreviousData, QueryClient, QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { call, onChange } from './call.ts'
import { CallError } from './post.ts'
import { refreshSession, signOut } from './session.ts'

/** What was read is kept here, per signed-in user. Any change asks again for what is on screen. */
export function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(newClient)
  useEffect(() => onChange(() => void client.invalidateQueries()), [client])
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}

type Options = { enabled?: boolean; keepPrevious?: boolean }

/** What a reading call answers, kept fresh. */
export function useCall<Name extends CallName>(name: Name, input: CallInput<Name>, { enabled = true, keepPrevious = false }: Options = {}) {
  return useQuery<CallOutput<Name>, CallError>({
    queryKey: [name, input],
    queryFn: ({ signal }) => call(name, input, { signal }),
    enabled,
    ...(keepPrevious && { placeholderData: keepPreviousData }),
  })
}

/** Keeps what is known of the signed-in user fresh: an address can be verified on another device. */
export function useFreshUser() {
  useQuery({ queryKey: ['refreshSession'], queryFn: refreshSession, staleTime: 0 })
}

/** Signing out; what is still being read is given up first, as it would be refused. */
export function useSignOut() {
  const client = useQueryClient()
  return async () => {
    await client.cancelQueries()
    await signOut()
  }
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
