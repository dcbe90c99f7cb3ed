/** Mails about what others did in projects. Each person can switch each kind off. */
export const noticeKinds = [
  'memberRemoved',
  'roleChanged',
  'projectEnded',
  'invitationAccepted',
  'joinRequested',
  'joinAccepted',
] as const

export type NoticeKind = (typeof noticeKinds)[number]

/** A kind that is missing is on. */
export type Notices = { [Kind in NoticeKind]?: boolean | undefined }
