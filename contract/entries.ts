import * as z from 'zod/mini'
import { activityKinds, type ActivityKind } from './activity.ts'
import type { LimitName } from './entitlements.ts'
import { epochSeconds, field, object } from './fields.ts'

// What calls answer with that has names of modules. No contract.ts of a module can import it.

const text = z.string()
const kinds = Object.values(activityKinds).flat() as [ActivityKind, ...ActivityKind[]]
const named = z.strictObject({
  id: field('Its id.', text),
  name: field('Its name at that time.', text),
})

export const activity = object(
  'An entry of the activity log, with the names of its time; an empty name is of a deleted account.',
  {
    id: field('The id of the entry.', text),
    created: field('When it happened.', epochSeconds),
    kind: field('What happened.', z.enum(kinds)),
    actor: field(
      'The person who did it; null if nobody did, as when an unpaid project ends.',
      z.nullable(named),
    ),
    subject: field(
      'The name or e-mail address of the person it was done to; else null.',
      z.nullable(text),
    ),
    subscription: field(
      'The project. Null for entries about an account, and for projects that the caller is not in.',
      z.nullable(named),
    ),
    /**
     * By kind of entry:
     * `{ from, to }`: a change of plan, permissions, name or address. Of a plan, if the interval of
     * payment changes, with `{ fromPrice, toPrice }`, like `1 month`. `{ plan }`: a new subscription.
     * `{ to, at }`, with `toPrice`: a change of plan at a later time, in epoch seconds.
     * `{ at }`: a cancellation, or a demand for second factors, that waits until then.
     * `{ discount }`: one in percent or an amount, in words. `{ because }`: its cancellation. `{ permissions }`: an invite, a join
     * link or a new member. With `{ by }`, which is `link` or `request`: a member who was not invited.
     * `{ factor }`: its name; renamed, `{ from, to }`. `{ left }`: how many recovery codes are.
     * `{ fields }`: a change of settings or billing details; with `{ from, to }`, of the name too.
     * `{ brand, last4 }`: a card.
     * `{ device, address }`: a sign-in. `{ provider }`: a provider that was linked or unlinked.
     * `{ amount, currency, invoice }`: a payment; with `refund`, its id, a refund; without `invoice`, a
     * payment that failed.
     * `{ made }`: the name of an access token that was made, revoked, or ended with its maker's access.
     * `{ token }`: the name of the access token that did it, in the name of the actor.
     * `{ operator }`: the name of the operator who did it.
     */
    details: field(
      'What changed, by names that depend on the kind, such as `from`, `to`, `plan`, `permissions`.',
      z.record(text, z.union([text, z.array(text)])),
    ),
  },
)

export const use = object('What a project uses of a limit.', {
  limit: field('The name of the limit.', text as z.ZodMiniType<LimitName>),
  used: field('How much is used.', z.number()),
  most: field('How much the plan allows; null if it names no limit.', z.nullable(z.number())),
})

export type Activity = z.output<typeof activity>
export type Use = z.output<typeof use>
