import type { PermissionKey } from '#config/permissions.ts'
import type { MessageKey } from '#locales/keys.ts'
import * as z from 'zod/mini'

// What the tables of calls, screens and refusals are made of, in the core and in modules.

/** `member`, `admin`, `owner` and permissions refer to the subscription that the input names. */
export type Needs = 'anyone' | 'signedIn' | 'member' | 'admin' | 'owner' | NeedsPermission
/** For members with one of these permissions, or with `all` of them, and for the owner. */
export type NeedsPermission = {
  permissions: readonly [PermissionKey, ...PermissionKey[]]
  all?: true
}

/**
 * How the server runs a call: see docs/decisions/002-effect-of-a-call.md. A call with the name of a
 * question whose effect is not `read` says in its row what it changes.
 * `read`: it changes nothing. `write`: it runs in one transaction, which locks the subscription.
 * `external`: it talks to a provider, or works for long, in transactions of its own.
 * `billing`: like `external`, under the subscription's billing lease.
 */
type Effect = 'read' | 'write' | 'external' | 'billing'

type Caller = {
  needs: Needs
  /**
   * The server refuses the call if the subscription is canceled, and while its members may only look
   * unless the call settles that or takes something away.
   */
  onlyActive?: true | 'evenLookOnly'
  /** A session may make the call without the second step that the owner asks for. */
  evenWithoutFactor?: true
  /** The rate limit counts per session, so that a stolen one can't use up the owner's limit. */
  perSession?: true
  /** The input or output is secret: the server keeps neither, and takes no Idempotency-Key. */
  secret?: true
  /** The call only reads, and asks the payment provider. Its rate limit is lower than for others. */
  asksProvider?: true
  /**
   * The call only reads, and its answer is sent while it is read, in pages: see
   * server/http/exports.ts. If it breaks off, it is no JSON.
   */
  streamed?: true
}

/** What a row says besides who may call and what for: see docs/decisions/023-programs.md. */
type Parts<Input, Answer> = {
  /** Unknown fields are refused. */
  input?: Input
  answer?: Answer
  /**
   * Why its function refuses, besides what follows from the row: the reasons of `whyNot`, of its
   * fields, and those that every call has. Tests hold every refusal against it.
   */
  refusals?: readonly string[]
  /** What an access token has to allow. Without it, no token may make the call. */
  tokens?: 'read' | 'write'
}

export type CallRow = Caller & {
  effect: Effect
  /** What the call does. Its first sentence is the summary in /openapi.json. */
  text: string
  input: z.ZodMiniObject
  answer: z.ZodMiniObject
  refusals: readonly string[]
  tokens?: 'read' | 'write'
}

const nothing = {}

// The app takes rows of screens from this file, and leaves these out where it uses none.
export const read = /* @__PURE__ */ rowOf('read')
export const write = /* @__PURE__ */ rowOf('write')
export const external = /* @__PURE__ */ rowOf('external')
export const billing = /* @__PURE__ */ rowOf('billing')

export const anyone = { needs: 'anyone' } as const
export const signedIn = { needs: 'signedIn' } as const
export const thisSession = { needs: 'signedIn', perSession: true } as const
export const member = { needs: 'member' } as const
export const admin = { needs: 'admin' } as const
export const activeAdmin = { needs: 'admin', onlyActive: true } as const
export const adminTakingAway = { needs: 'admin', onlyActive: 'evenLookOnly' } as const
export const owner = { needs: 'owner' } as const
export const activeOwner = { needs: 'owner', onlyActive: 'evenLookOnly' } as const

function rowOf<E extends Effect>(effect: E) {
  return <
    const Who extends Caller,
    Input extends z.core.$ZodShape = typeof nothing,
    Answer extends z.core.$ZodShape = typeof nothing,
  >(
    caller: Who,
    text: string,
    { input, answer, refusals = [], ...parts }: Parts<Input, Answer> = {},
  ) => ({
    ...caller,
    ...parts,
    effect,
    text,
    input: z.strictObject(input ?? (nothing as Input)),
    answer: z.strictObject(answer ?? (nothing as Answer)),
    refusals,
  })
}

/**
 * A screen's component is the only export of its file: `client/screens/<domain>/<name>.screen.tsx`,
 * or `modules/<module>/screens/<name>.screen.tsx`.
 */
export type Screen = {
  path: string
  /** `signedOut`: only people who are not signed in. The other words mean the same as for calls. */
  needs: Needs | 'signedOut'
  /** Nobody can open the screen for a canceled project. */
  onlyActive?: 'evenLookOnly'
  /** The configuration has switched the screen off: its address leads nowhere. */
  isOff?: boolean
  /** The name of the screen above it, to which its breadcrumb leads. */
  parent?: string
  /** The title of the first of two steps. `?plan=` in the URL opens the second one. */
  firstStep?: MessageKey
} & (Link | NoLink)

/** The command palette offers the screens with a title. The sidebar offers those with `menu`. */
export type Link = {
  title: MessageKey
  /** A module's name is the name of the icon in its `icon.ts`. */
  icon: string
  menu?: true
}
type NoLink = { title?: never }

type Place = (Link | NoLink) & Pick<Screen, 'parent' | 'firstStep' | 'onlyActive'>

/** A screen of one project: its path comes after `/subscription/:id`. */
export function inProject<
  Path extends string,
  const Who extends Needs,
  const Rest extends Place = NoLink,
>(path: Path, needs: Who, rest: Rest = {} as Rest) {
  return { path: `/subscription/:id${path}` as const, needs, ...rest }
}

/** Each status of the callable protocol with its HTTP status. */
export const httpStatus = {
  'invalid-argument': 400,
  'failed-precondition': 400,
  unauthenticated: 401,
  'permission-denied': 403,
  'not-found': 404,
  'already-exists': 409,
  aborted: 409,
  'resource-exhausted': 429,
  internal: 500,
  unavailable: 503,
  'deadline-exceeded': 504,
} as const

export type RefusalStatus = keyof typeof httpStatus

export type RefusalRow = {
  status: RefusalStatus
  /** The text for developers. The app shows people `errors.<reason>` from locales/. */
  text: string
  /** Another try may succeed, so the server does not keep the refusal for an Idempotency-Key. */
  isPassing: boolean
}

export const aborted = refusalOf('aborted')
export const denied = refusalOf('permission-denied')
export const exhausted = refusalOf('resource-exhausted')
export const exists = refusalOf('already-exists')
export const invalid = refusalOf('invalid-argument')
export const notFound = refusalOf('not-found')
export const precondition = refusalOf('failed-precondition')

export function refusalOf(status: RefusalStatus) {
  return (text: string, kept?: 'passing'): RefusalRow => ({
    status,
    text,
    isPassing: kept === 'passing',
  })
}
