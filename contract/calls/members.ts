import * as z from 'zod/mini'
import { seats, subscriptionUser } from '../entities.ts'
import { field, id, paged, permissionKeys, search, subscriptionId, total } from '../fields.ts'
import { activeAdmin, adminTakingAway, admin, member, read, write, type CallRow } from '../rows.ts'

const keepInvites = field(
  'Invitations that the person sent go on in the name of the caller, unless the caller gives up administration. Without it, they are revoked.',
  z.optional(z.literal(true)),
)
const userId = field('The id of the member.', id)

export const ofMembers = {
  getSubscriptionUsers: read(admin, 'Lists the members and pending invitations of a project.', {
    input: {
      subscriptionId,
      ...paged,
      search,
      permission: field(
        'Only members hold permissions; invitations only promise them.',
        z.optional(permissionKeys.def.element),
      ),
      status: field('Only these.', z.optional(z.enum(['active', 'pending']))),
      hasSecondFactor: field(
        'Only members with a second factor, or without one. Nobody knows it of a pending invitation.',
        z.optional(z.boolean()),
      ),
      sort: field(
        'Left out, the owner comes first and pending invitations last.',
        z.optional(z.enum(['name', 'created'])),
      ),
      direction: field(
        'The direction of the order.',
        z.optional(z.enum(['ascending', 'descending'])),
      ),
    },
    answer: { users: z.array(subscriptionUser), total, seats },
    tokens: 'read',
  }),
  updateUserPermissions: write(activeAdmin, 'Changes what a member holds.', {
    input: {
      subscriptionId,
      userId,
      permissions: permissionKeys,
      was: field(
        'What the administrator saw. If the member holds something else by now, the call is refused.',
        z.optional(permissionKeys),
      ),
      keepInvites,
    },
    refusals: ['userNotFound', 'ownerUntouchable', 'permissionsChanged'],
    tokens: 'write',
  }),
  removeUser: write(adminTakingAway, 'Removes a member from a project.', {
    input: { subscriptionId, userId, keepInvites },
    refusals: ['userNotFound', 'ownerUntouchable'],
    tokens: 'write',
  }),
  remindOfSecondFactor: write(
    activeAdmin,
    'Mails the members without a factor that the project asks for one, once a day.',
    {
      input: { subscriptionId },
      answer: { reminded: field('How many got the mail.', z.int()) },
      refusals: ['secondFactorNotRequired'],
    },
  ),
  leaveSubscription: write(
    { ...member, evenWithoutFactor: true },
    'Ends the membership of the caller.',
    { input: { subscriptionId }, refusals: ['ownerCannotLeave'] },
  ),
} as const satisfies Record<string, CallRow>
