import type * as z from 'zod/mini'
import { ofActivity } from './calls/activity.ts'
import { ofBilling } from './calls/billing.ts'
import { ofIdentity } from './calls/identity.ts'
import { ofInvites } from './calls/invites.ts'
import { ofJoining } from './calls/joining.ts'
import { ofMembers } from './calls/members.ts'
import { ofProfile } from './calls/profile.ts'
import { ofSubscriptions } from './calls/subscriptions.ts'
import { ofModules } from './modules.ts'

/** The calls of the core by area: who may make each, what for, its input and its answer. */
export const areas = {
  identity: ofIdentity,
  profile: ofProfile,
  subscriptions: ofSubscriptions,
  invites: ofInvites,
  joining: ofJoining,
  members: ofMembers,
  activity: ofActivity,
  billing: ofBilling,
}

const ofCore = {
  ...ofIdentity,
  ...ofProfile,
  ...ofSubscriptions,
  ...ofInvites,
  ...ofJoining,
  ...ofMembers,
  ...ofActivity,
  ...ofBilling,
}

/** Every call: of the core and of the modules that are on. */
export const calls = { ...ofCore, ...ofModules('calls') }

export type CoreCallName = keyof typeof ofCore
export type Calls = typeof calls
export type CallName = keyof Calls
/** The input as the caller sends it, before the server parses it. */
export type CallInput<Name extends CallName> = z.input<Calls[Name]['input']>
/** The input as the call's function reads it: trimmed, lower-cased, with defaults. */
export type ParsedInput<Name extends CallName> = z.output<Calls[Name]['input']>
export type Answers = { [Name in CallName]: z.output<Calls[Name]['answer']> }
export type CallOutput<Name extends CallName> = Answers[Name]

export function isCallName(name: string): name is CallName {
  return Object.hasOwn(calls, name)
}
