import type { PageSize } from '#config/limits.ts'
import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import {
  keepPreviousData,
  onlineManager,
  QueryCache,
  QueryClient,
  QueryClientProvider,
  queryOptions,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { logError } from '../platform/log.ts'
import { ahead, call, keepReads, mayHaveArrived } from './call.ts'
import { CallError, isSignedOut } from './post.ts'
import { refreshSession } from './session.ts'

/** Keeps what one user has read. Any change asks again for what is on screen. */
export function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(newClient)
  useEffect(() => keepReads(client), [client])
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}

type Options = { enabled?: boolean; keepPrevious?: boolean }

/** The answer of a reading call, kept fresh. */
export function useCall<Name extends CallName>(
  name: Name,
  input: CallInput<Name>,
  { enabled = true, keepPrevious = false }: Options = {},
) {
  return useQuery({
    ...reading(name, input),
    enabled,
    ...(keepPrevious && { placeholderData: keepPreviousData }),
  })
}

/** The calls that answer in pages, and where the rows of a page are in their answer. */
const rowsIn = {
  getSubscriptionUsers: 'users',
  listActivity: 'activity',
  listInvoices: 'invoices',
  listOwnActivity: 'activity',
  listSubscriptions: 'subscriptions',
} as const satisfies Partial<Record<CallName, string>>

type PagedCall = keyof typeof rowsIn
type Paged = { total: number } & Record<string, { id: string }[]>
type PagesShown = { from: number; page: number; pageSize: PageSize }

/** Several pages of a list as one answer. Until the last one has come, those that have. */
export function usePagedCall<Name extends PagedCall>(
  name: Name,
  input: Omit<CallInput<Name>, 'page' | 'pageSize'>,
  { from, page, pageSize }: PagesShown,
) {
  const rows: string = rowsIn[name]
  return useQueries({
    queries: Array.from({ length: page - from + 1 }, (_, index) => ({
      ...reading(name, { ...input, page: from + index, pageSize } as CallInput<Name>),
      placeholderData: keepPreviousData,
    })),
    combine(answers) {
      const known = answers.flatMap(({ data }) => (data ? [data as unknown as Paged] : []))
      // New rows may have pushed the last ones of a page onto the next.
      const all = new Map(
        known.flatMap((answer) => (answer[rows] ?? []).map((row) => [row.id, row] as const)),
      )
      return {
        data:
          known.length > 0
            ? ({ ...known.at(-1), [rows]: [...all.values()] } as unknown as CallOutput<Name>)
            : undefined,
        error: answers.find(({ error }) => error)?.error ?? null,
        isShort: answers.at(-1)!.data === undefined,
        refetch: () =>
          Promise.all(answers.filter(({ error }) => error).map(({ refetch }) => refetch())),
      }
    },
  })
}

/** Reads once. An answer that is under way may be older, so it is not waited for. */
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

/** Keeps the signed-in user fresh: an address can be verified on another device. */
export function useFreshUser() {
  useQuery({ queryKey: ['refreshSession'], queryFn: refreshSession, staleTime: 0 })
}

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

/** Whether this device has a connection; what is read waits for one. */
export function useOnline() {
  return useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  )
}

function reading<Name extends CallName>(name: Name, input: CallInput<Name>) {
  return queryOptions<CallOutput<Name>, CallError>({
    queryKey: [name, input],
    queryFn: ({ signal }) => call(name, input, { signal }),
  })
}

function newClient() {
  return new QueryClient({
    queryCache: new QueryCache({
      onError(error, { queryKey: [name] }) {
        // Every screen reads it, and few show that it is missing.
        if (name === 'getUser' && !isSignedOut(error))
          logError('The user data could not be fetched.', error)
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        refetchOnReconnect: 'always',
        retry: (failures, error) =>
          failures < 2 && error instanceof CallError && mayHaveArrived.has(error.reason),
      },
    },
  })
}
