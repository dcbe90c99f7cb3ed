/** Refusals that say to administrators what they can do about it, in words for those who are invited. */
export const forInvitees = { seatsFull: 'invites.noSeat', alreadyMember: 'invites.member' } as const
