import * as z from 'zod/mini'
import { invite } from '../entities.ts'
import { code, email, field, permissionKeys, personName, subscriptionId } from '../fields.ts'
import {
  activeAdmin,
  adminTakingAway,
  anyone,
  external,
  read,
  signedIn,
  write,
  type CallRow,
} from '../rows.ts'
import { isTrue, ofInvite, inviteId } from './parts.ts'

const ofOwnInvite = [...ofInvite, 'emailNotVerified', 'claimRequired']

export const ofInvites = {
  listInvites: read(
    signedIn,
    'Lists the open invitations to the caller; for somebody who has not claimed their account none.',
    {
      answer: {
        invites: z.array(invite),
        waiting: field('There are some, for who claims the account.', isTrue),
      },
    },
  ),
  listSentInvites: read(
    signedIn,
    'Lists the open invitations of the caller. They end when the caller may no longer invite people.',
    { answer: { invites: z.array(invite) } },
  ),
  checkInvite: external(
    anyone,
    'Reads an invitation by the code in its link. Also claims the account of the caller, and so verifies its address, if the code was mailed to it.',
    {
      input: { code: field('The `code` of the link.', code) },
      answer: {
        invite,
        name: field('What the inviter called the person; null if nothing.', z.nullable(z.string())),
        isMailed: field(
          'The code was mailed, so it proves that its reader has the invited address.',
          z.boolean(),
        ),
        hasAccount: field(
          'Whether the address has an account. Only told if the code was mailed.',
          z.boolean(),
        ),
      },
      refusals: ofInvite,
    },
  ),
  acceptInvite: write(signedIn, 'Accepts an invitation.', {
    input: { inviteId },
    refusals: [...ofOwnInvite, 'alreadyMember', 'seatsFull', 'subscriptionCanceled', 'lookOnly'],
  }),
  rejectInvite: write(signedIn, 'Rejects an invitation.', {
    input: { inviteId },
    refusals: ofOwnInvite,
  }),
  createInvite: write(activeAdmin, 'Invites somebody by mail.', {
    input: {
      subscriptionId,
      email,
      permissions: permissionKeys,
      name: field('What the mail and the list of users call the person.', z.optional(personName)),
    },
    answer: {
      inviteId: field('The id of the invitation.', z.string()),
      mailed: field(
        'False if the mailbox had too many mails today. The invitation has a link all the same.',
        z.optional(z.literal(false)),
      ),
    },
    refusals: ['emailNotVerified', 'alreadyMember', 'alreadyInvited', 'inviteeMoved', 'seatsFull'],
    tokens: 'write',
  }),
  revokeInvite: write(adminTakingAway, 'Revokes an open invitation.', {
    input: { subscriptionId, inviteId },
    refusals: ofInvite,
    tokens: 'write',
  }),
  resendInvite: write(
    activeAdmin,
    'Mails a new link, valid for the full time again. The old link stops working.',
    {
      input: { subscriptionId, inviteId },
      refusals: [...ofInvite, 'emailNotVerified', 'inviteeBusy', 'seatsFull'],
      tokens: 'write',
    },
  ),
  createInviteLink: write(
    { ...activeAdmin, secret: true },
    'Makes a code that opens a pending invitation, and ends the code that the call made before. Unlike the mailed code, it does not prove that its holder has the invited address.',
    {
      input: { subscriptionId, inviteId },
      answer: { code: field('For `/invitation?code=`.', z.string()) },
      refusals: [...ofInvite, 'emailNotVerified'],
    },
  ),
} as const satisfies Record<string, CallRow>
