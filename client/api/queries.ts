import { limits, type PageSize } from '#config/limits.ts'
import type { PermissionKey } from '#config/permissions.ts'
import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import type { SubscriptionUser } from '#contract/entities.ts'
import {
  keepPreviousData,
  onlineManager,
  type Query,
  QueryCache,
  QueryClient,
  queryOptions,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { logError } from '../platform/log.ts'
import { ahead, call, isShutOut, keepReads, mayHaveArrived } from './call.ts'
import { CallError, isSignedOut } from './post.ts'
import { openedProject, refreshSession } from './session.ts'

/** A cache of the answers that one user has read. Every change reloads the answers on screen. */
export function useCache() {
  const [client] = useState(newClient)
  useEffect(() => keepReads(client), [client])
  return client
}

type Options = { enabled?: boolean; keepPrevious?: boolean }

/** Makes a reading call and keeps its answer up to date. */
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

/** Waits for the reload that a change has already started. */
export function awaitReload(refetch: (options: { cancelRefetch: boolean }) => Promise<unknown>) {
  return refetch({ cancelRefetch: false })
}

/** The calls that answer in pages. The only list in the answer has the rows. */
type PagedCall = {
  [Name in CallName]: CallOutput<Name> extends { total: number } ? Name : never
}[CallName]
type RowOf<Name extends PagedCall> = Extract<
  CallOutput<Name>[keyof CallOutput<Name>],
  { id: string }[]
>[number]
type PagesShown = { from: number; page: number; pageSize: PageSize }

/** Reads several pages of a list as one answer. `isShort` is true until the last has arrived. */
export function usePagedCall<Name extends PagedCall>(
  name: Name,
  input: Omit<CallInput<Name>, 'page' | 'pageSize'>,
  { from, page, pageSize }: PagesShown,
) {
  return useQueries({
    queries: Array.from({ length: page - from + 1 }, (_, index) => ({
      ...reading(name, { ...input, page: from + index, pageSize } as CallInput<Name>),
      placeholderData: keepPreviousData,
    })),
    combine(answers) {
      const known = answers.flatMap(({ data }) => data ?? [])
      const last = known.at(-1)
      return {
        data: last && { ...last, [listIn(last)]: rowsOf<Name>(known) },
        error: answers.find(({ error }) => error)?.error ?? null,
        isShort: answers.at(-1)!.data === undefined,
        refetch: () =>
          Promise.all(answers.filter(({ error }) => error).map(({ refetch }) => refetch())),
      }
    },
  })
}

/** Reads once, with a new request, because a request under way may return older data. */
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

/** Keeps the signed-in user up to date: they may verify their address on another device. */
export function useFreshUser() {
  useQuery({ queryKey: ['refreshSession'], queryFn: () => refreshSession(), staleTime: 0 })
}

/**
 * Returns a function that shows a change of a project before the server has answered, and resolves
 * to another one: call that with whether the change succeeded. `false` undoes it on screen.
 */
export function useShowAtOnce(subscriptionId: string) {
  const client = useQueryClient()
  return async <Name extends CallName>(
    read: Name,
    change: (known: CallOutput<Name>) => CallOutput<Name>,
  ) => {
    const filter = { queryKey: [read, { subscriptionId }] }
    // A request under way would bring the old state back.
    await client.cancelQueries(filter)
    const queries = client.getQueryCache().findAll(filter)
    const before = client.getQueriesData<CallOutput<Name>>(filter)
    client.setQueriesData<CallOutput<Name>>(filter, (known) => known && change(known))
    for (const { queryHash } of queries) ahead.add(queryHash)
    return (isDone: boolean) => {
      for (const { queryHash } of queries) ahead.delete(queryHash)
      if (!isDone) for (const [key, known] of before) client.setQueryData(key, known)
      void client.invalidateQueries(filter)
    }
  }
}

/** Whether this device has a connection. Without one, reading calls wait. */
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

/** Milliseconds in which an answer or a refusal is not asked for again. */
const fresh = 5_000

function newClient() {
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError(error, { queryKey: [name] }) {
        // The project gives way to what opens it again.
        if (error instanceof CallError && isShutOut(error) && name !== 'getSubscription')
          void client.invalidateQueries({ queryKey: ['getSubscription'] })
        // Every screen reads the user, and few show that the user could not be loaded.
        if (name === 'getUser' && !isSignedOut(error))
          logError('The user data could not be fetched.', error)
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: fresh,
        // Parts of a screen that appear with a refusal would ask again, and disappear meanwhile.
        retryOnMount: ({ state }) => Date.now() - state.errorUpdatedAt > fresh,
        refetchOnReconnect: 'always',
        retry: (failures, error) =>
          failures < 2 && error instanceof CallError && mayHaveArrived.has(error.reason),
        // Partly random, so that the tabs that a change reaches at once don't all ask again at once.
        retryDelay: (failures) => 2 ** failures * (500 + Math.random() * 1000),
      },
    },
  })
  const opened = openedProject()
  if (opened) {
    const { subscription, at } = opened
    const { queryKey } = reading('getSubscription', { subscriptionId: subscription.id })
    client.setQueryData(queryKey, { subscription }, { updatedAt: at })
  }
  client.getQueryCache().subscribe(({ type, query: { queryHash } }) => {
    if (type !== 'observerAdded') return
    const { pathname } = window.location
    readAt.set(pathname, (readAt.get(pathname) ?? new Set()).add(queryHash))
  })
  return client
}

/** The hashes of the queries that were on screen, by the path in the URL. */
const readAt = new Map<string, Set<string>>()

/** Returns a function that reads again what was on the screen at a path, before it is shown. */
export function useReadAhead() {
  const client = useQueryClient()
  return useCallback(
    (pathname: string) => {
      const hashes = readAt.get(pathname)
      const predicate = ({ queryHash }: Query) => hashes?.has(queryHash) ?? false
      void client.refetchQueries({ type: 'inactive', predicate })
    },
    [client],
  )
}

/** All members of a project with at least one of the permissions, from as many pages as needed. */
export function useHolders(permissions: PermissionKey[], subscriptionId: string, enabled: boolean) {
  return useQuery<SubscriptionUser[], CallError>({
    // Not the call's name, whose queries hold answers in another shape.
    queryKey: ['holders', { subscriptionId, permissions }],
    async queryFn({ signal }) {
      const found = new Map<string, SubscriptionUser>()
      for (const permission of permissions)
        for (const user of await listAll(
          'getSubscriptionUsers',
          { subscriptionId, permission },
          signal,
        ))
          found.set(user.id, user)
      return [...found.values()]
    },
    enabled,
  })
}

/** All rows of a list that fit the filter, from as many pages as needed. */
export async function listAll<Name extends PagedCall>(
  name: Name,
  filter: Omit<CallInput<Name>, 'page' | 'pageSize'>,
  signal?: AbortSignal,
) {
  const pageSize = limits.pages.sizes.at(-1)!
  const answers: CallOutput<Name>[] = []
  for (let page = 1, isLast = false; !isLast; page++) {
    const input = { ...filter, page, pageSize } as CallInput<Name>
    const answer = await call(name, input, signal && { signal })
    answers.push(answer)
    isLast = rowsOf<Name>([answer]).length === 0 || page * pageSize >= answer.total
  }
  return rowsOf<Name>(answers)
}

/** Each row once: new rows move others to the next page, so two answers can have the same row. */
function rowsOf<Name extends PagedCall>(answers: CallOutput<Name>[]) {
  const rows = answers.flatMap((answer) => answer[listIn(answer)] as RowOf<Name>[])
  return [...new Map(rows.map((row) => [row.id, row])).values()]
}

function listIn<Answer extends object>(answer: Answer) {
  return Object.keys(answer).find((field) =>
    Array.isArray(answer[field as keyof Answer]),
  ) as keyof Answer
}
