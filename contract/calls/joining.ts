import { limits } from '#config/limits.ts'
import { permissions, type PermissionKey } from '#config/permissions.ts'
import * as z from 'zod/mini'
import { allPermissions } from '../access.ts'
import { joinLink, joinRequest } from '../entities.ts'
import { code, epochSeconds, field, id, permissionKeys, subscriptionId } from '../fields.ts'
import {
  activeAdmin,
  admin,
  adminTakingAway,
  anyone,
  read,
  signedIn,
  write,
  type CallRow,
} from '../rows.ts'

const harmless = allPermissions.filter((key) => !permissions[key].admin)
const ofLink = ['inviteNotFound', 'inviteExpired']
const ofClaimed = ['emailNotVerified', 'claimRequired']

export const ofJoining = {
  createJoinLink: write(
    { ...activeAdmin, secret: true },
    'Makes the link by which anybody who has it joins the project. It replaces the former one. It ends with the rights of its maker, when their sessions are ended, and with the project.',
    {
      input: {
        subscriptionId,
        permissions: field(
          'What whoever joins will hold. No link makes an administrator.',
          z
            .array(z.enum(harmless as [PermissionKey, ...PermissionKey[]]))
            .check(z.maxLength(harmless.length)),
        ),
        uses: field(
          'How many people may join by it. Left out, any number may.',
          z.optional(z.int().check(z.minimum(1), z.maximum(limits.joining.uses))),
        ),
        expires: field(
          'When it ends, at most 366 days from now. Left out, it works for 14 days.',
          z.optional(epochSeconds),
        ),
      },
      answer: { code: field('For `/join?code=`.', z.string()) },
      refusals: ofClaimed,
    },
  ),
  getJoinLink: read({ ...admin, secret: true }, 'Reads the join link of a project.', {
    input: { subscriptionId },
    answer: { link: field('Null if there is none.', z.nullable(joinLink)) },
  }),
  revokeJoinLink: write(
    adminTakingAway,
    'Ends the join link of a project. Does nothing if there is none.',
    { input: { subscriptionId } },
  ),
  checkJoinLink: read(anyone, 'Says what a join link opens.', {
    input: { code: field('The `code` of the link.', code) },
    answer: {
      subscription_name: field('The name of the project.', z.string()),
      host_name: field('The name of who made the link.', z.string()),
      permissions: joinLink.def.shape.permissions,
    },
    refusals: ofLink,
  }),
  joinByLink: write(
    signedIn,
    'Makes the caller a member. An open invitation of theirs to the project is accepted with it: they hold what it and the link promise. Changes nothing for a member.',
    {
      input: { code: field('The `code` of the link.', code) },
      answer: { subscriptionId: field('The id of the project.', z.string()) },
      refusals: [...ofClaimed, ...ofLink, 'joinRefused', 'seatsFull', 'lookOnly'],
    },
  ),
  requestToJoin: write(
    // With an Idempotency-Key the answer would name its change, which tells that there is one.
    { ...signedIn, secret: true },
    'Asks the administrators of a project to let the caller in. The answer is the same whether there is such a project, and whatever they have decided before.',
    { input: { subscriptionId }, refusals: ofClaimed },
  ),
  listJoinRequests: read(admin, 'Lists the open requests to join a project, the oldest first.', {
    input: { subscriptionId },
    answer: { requests: z.array(joinRequest) },
  }),
  decideJoinRequest: write(
    signedIn,
    'Lets somebody into a project or declines their request, of which they are not told. Only for administrators of the project.',
    {
      input: {
        requestId: field('The id of the request.', id),
        permissions: field(
          'What they will hold. Null declines the request.',
          z.nullable(permissionKeys),
        ),
      },
      refusals: [
        'joinRequestNotFound',
        'emailNotVerified',
        'factorRequired',
        'subscriptionCanceled',
        'lookOnly',
        'seatsFull',
      ],
    },
  ),
} as const satisfies Record<string, CallRow>
