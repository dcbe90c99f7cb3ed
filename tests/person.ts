import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import type { AuthUser, BillingInfo } from '#contract/entities.ts'
import type { Reason, RefusalBody } from '#contract/refusals.ts'
import type { PermissionKey } from '#config/permissions.ts'
import { expect } from 'vitest'
import { beyondContract } from './against-contract.ts'
import { billingDetails } from '../operate/seed/billing-details.ts'

export type Answer<Name extends CallName> = {
  status: number
  headers: Headers
  result?: CallOutput<Name>
  error?: RefusalBody
}
type Call<Options> = <Name extends CallName>(
  name: Name,
  data: CallInput<Name>,
  options?: Options,
) => Promise<Answer<Name>>
export type SendRequest = (path: string, init?: RequestInit) => Promise<Response>
type CallOptions = { token?: string | undefined; headers?: Record<string, string> }
/** An interface, because inferred types name it, while they would spell a type alias out. */
export interface Person extends ReturnType<typeof personWith> {}

/** Makes calls of a server. `request` reaches it. */
export function callsTo(request: SendRequest) {
  return async <Name extends CallName>(
    name: Name,
    data: CallInput<Name>,
    { token, headers }: CallOptions = {},
  ): Promise<Answer<Name>> => {
    const response = await request(`/api/${name}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: JSON.stringify({ data }),
    })
    const body = (await response.json()) as { result?: CallOutput<Name>; error?: RefusalBody }
    expect(beyondContract(name, body)).toBeUndefined()
    return { status: response.status, headers: response.headers, ...body }
  }
}

/** `call` gives the whole answer, `does` the result of a success, `refusal` a refusal's reason. */
export function asksBy<Options>(call: Call<Options>) {
  async function does<N extends CallName>(name: N, data: CallInput<N>, options?: Options) {
    const answer = await call(name, data, options)
    expect(answer, name).toMatchObject({ status: 200 })
    return answer.result!
  }

  async function refusal<N extends CallName>(name: N, data: CallInput<N>, options?: Options) {
    return reasonOf(await call(name, data, options))
  }

  async function cannot<N extends CallName>(
    name: N,
    data: CallInput<N>,
    reason: Reason,
    options?: Options,
  ) {
    expect(await refusal(name, data, options), name).toBe(reason)
  }

  return { call, does, refusal, cannot }
}

export function reasonOf(answer: { error?: RefusalBody }) {
  return answer.error?.details?.reason
}

/** How many answers had each outcome: `done`, or the reason of a refusal. */
export function countOutcomes(answers: { error?: RefusalBody }[]) {
  const counts: Record<string, number> = {}
  for (const answer of answers) {
    const outcome = reasonOf(answer) ?? 'done'
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  return counts
}

export function billingInfo(paymentMethodId?: string): BillingInfo {
  return { billingDetails, paymentMethodId }
}

/** What people do in tests. `starts` makes a free project; `buys` and `pays` make one on pro. */
export function personWith(
  session: AuthUser & { token: string; password: string; cookie: string },
  call: Call<Record<string, string>>,
) {
  const asks = asksBy(call)
  const { does } = asks
  const purchase = (card: string) => ({ planId: 'pro', billingInfo: billingInfo(card) })
  return {
    ...session,
    ...asks,
    pays: (card = 'pm_card_visa', headers = {}) =>
      call('createSubscription', purchase(card), headers),
    buys: (card = 'pm_card_visa') => does('createSubscription', purchase(card)),
    cancels: (id: string) => call('cancelSubscription', { subscriptionId: id, confirmationId: id }),
    starts: () => does('createSubscription', { planId: 'free' }),
    changesPlan: (subscriptionId: string, planId: string) =>
      call('changeSubscriptionPlan', { subscriptionId, planId }),
    transfers: (subscriptionId: string, to: AuthUser) =>
      call('transferSubscriptionOwnership', { subscriptionId, newOwnerId: to.uid }),
    permits: (subscriptionId: string, member: AuthUser, permissions: PermissionKey[]) =>
      does('updateUserPermissions', { subscriptionId, userId: member.uid, permissions }),
    triesToInvite: (subscriptionId: string, email: string, permissions: PermissionKey[] = []) =>
      call('createInvite', { subscriptionId, email, permissions }),
    updatesBilling: (subscriptionId: string, details: Partial<CallInput<'updateBillingDetails'>>) =>
      call('updateBillingDetails', { subscriptionId, ...billingDetails, ...details }),
    renames: (subscriptionId: string, name: string) =>
      does('updateSubscriptionSettings', { subscriptionId, settings: { name } }),
    invites: (subscriptionId: string, email: string, permissions: PermissionKey[] = []) =>
      does('createInvite', { subscriptionId, email, permissions }),
    projects: async () => (await does('listSubscriptions', {})).subscriptions,
    project: async (subscriptionId: string) =>
      (await does('getSubscription', { subscriptionId })).subscription,
    invoices: async (subscriptionId: string) =>
      (await does('listInvoices', { subscriptionId })).invoices,
    seats: async (subscriptionId: string) =>
      (await does('getSubscriptionUsers', { subscriptionId })).seats,
    cards: async (subscriptionId: string) =>
      (await does('getPaymentMethods', { subscriptionId })).paymentMethods,
  }
}
