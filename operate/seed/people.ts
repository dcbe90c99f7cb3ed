import type { PermissionKey } from '#config/permissions.ts'
import { settingsFields, type SettingsField } from '#config/settings.ts'
import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import type { Reason, RefusalBody } from '#contract/refusals.ts'
import { billingDetails } from './billing-details.ts'

/** Sends a request to a server: over the network, or to one in this process. */
export type Ask = (path: string, init?: RequestInit) => Promise<Response>
export type Caller = ReturnType<typeof callerOf>
export type Person = { name: string; email: string; call: Caller }

/** The password of every example person. */
export const password = 'over the bridge'

export function askAt(url: string): Ask {
  return (path, init) => fetch(url + path, init)
}

export class Refused extends Error {
  readonly status: string
  readonly reason: Reason | undefined

  constructor(name: CallName, { status, message, details }: RefusalBody) {
    super(`${name} was refused: ${message} ${JSON.stringify(details ?? {})}`)
    this.status = status
    this.reason = details?.reason
  }
}

/** Makes calls to a server, with the token of a session or without. A refusal throws `Refused`. */
export function callerOf(ask: Ask, token?: string) {
  return async function call<Name extends CallName>(
    name: Name,
    data: CallInput<Name>,
  ): Promise<CallOutput<Name>> {
    const headers = {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    }
    const init = { method: 'POST', headers, body: JSON.stringify({ data }) }
    const body = (await (await ask(`/api/${name}`, init)).json()) as
      | { result: CallOutput<Name> }
      | { error: RefusalBody }
    if ('error' in body) throw new Refused(name, body.error)
    return body.result
  }
}

/** Addresses of names whose letters addresses don't have. */
const addresses: Record<string, string> = { 王小明: 'xiaoming.wang@example.com' }

export function addressOf(name: string) {
  return (
    addresses[name] ??
    `${name.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '').replace(' ', '.')}@example.com`
  )
}

/** Signs somebody up and verifies their address. Someone who has an account already signs in. */
export async function aPerson(ask: Ask, name: string): Promise<Person> {
  const email = addressOf(name)
  const visitor = callerOf(ask)
  const signedUp = await unlessThere(
    visitor('signUp', { fullName: name, email, password, language: 'en' }),
  )
  if (!signedUp) return signIn(ask, name)
  const { searchParams } = await mailedLink(ask, email)
  const call = callerOf(ask, signedUp.token)
  await call('applyActionCode', { oobCode: searchParams.get('oobCode')! })
  return { name, email, call }
}

export async function signIn(ask: Ask, name: string): Promise<Person> {
  const email = addressOf(name)
  const { token } = await callerOf(ask)('signIn', { email, password })
  return { name, email, call: callerOf(ask, token) }
}

/** The link in the newest mail. Mails about a sign-in don't count: they come at any time. */
export async function mailedLink(ask: Ask, to: string) {
  const answer = await ask(`/dev/mail.json?to=${encodeURIComponent(to)}`)
  const mails = (await answer.json()) as { subject: string; links: string[] }[]
  return new URL(mails.find(({ subject }) => !subject.startsWith('New sign-in'))!.links[0]!)
}

/** Returns the person's project of this name, or makes one and pays it with a card. */
export async function aProject(
  { call }: Person,
  name: string,
  planId: string,
  aCard?: () => Promise<string>,
) {
  const { subscriptions } = await call('listSubscriptions', {})
  const known = subscriptions.find(({ settings }) => settings['name'] === name)
  if (known) return known.id
  const paymentMethodId = await aCard?.()
  const billingInfo = paymentMethodId && { billingInfo: { billingDetails, paymentMethodId } }
  const { subscriptionId } = await call('createSubscription', { planId, ...billingInfo })
  await call('updateSubscriptionSettings', {
    subscriptionId,
    settings: { ...requiredSettings(), name },
  })
  return subscriptionId
}

/** A value for each field of config/settings.ts that a project must have. */
function requiredSettings() {
  const fields: [string, SettingsField][] = Object.entries(settingsFields)
  return Object.fromEntries(
    fields.filter(([, { required }]) => required).map(([name, field]) => [name, valueOf(field)]),
  )
}

function valueOf(field: SettingsField) {
  switch (field.type) {
    case 'string':
    case 'text':
      return 'Example'.slice(0, field.maxLength)
    case 'url':
      return 'https://example.com'
    case 'email':
      return 'team@example.com'
    case 'number':
      return field.min
    case 'select':
      return Object.keys(field.options)[0]!
    case 'color':
      return '#0a7c66'
    case 'boolean':
      return true
  }
}

/** Invites a guest. Returns undefined if the guest is invited or a member already. */
export async function invites(
  host: Person,
  { email, name }: { email: string; name?: string },
  subscriptionId: string,
  permissions: PermissionKey[],
) {
  const input = { subscriptionId, email, permissions, ...(name !== undefined && { name }) }
  return (await unlessThere(host.call('createInvite', input)))?.inviteId
}

export async function joins(
  guest: Person,
  host: Person,
  subscriptionId: string,
  permissions: PermissionKey[],
) {
  const inviteId = await invites(host, guest, subscriptionId, permissions)
  if (inviteId) await guest.call('acceptInvite', { inviteId })
}

async function unlessThere<Output>(answer: Promise<Output>) {
  return answer.catch((error: unknown) => {
    if (error instanceof Refused && error.status === 'ALREADY_EXISTS') return undefined
    throw error
  })
}
