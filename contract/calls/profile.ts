import * as z from 'zod/mini'
import { userRecord } from '../entities.ts'
import { field, language, notices, noticeWays, personName } from '../fields.ts'
import { read, signedIn, write, type CallRow } from '../rows.ts'

export const ofProfile = {
  getUser: read(signedIn, 'Reads what the product stores about the caller.', {
    answer: { user: userRecord },
  }),
  exportUser: read(
    { ...signedIn, streamed: true },
    'Reads everything that the product stores about the caller.',
    { answer: { data: field('By kind.', z.record(z.string(), z.unknown())) } },
  ),
  saveUser: write(signedIn, 'Changes the record of the caller. What is left out stays as it is.', {
    input: {
      display_name: z.optional(personName),
      language: z.optional(language),
      notices: field(
        'Which mails about what others do in projects the user wants. Others stay as they are.',
        z.optional(notices),
      ),
      notice_ways: field(
        'How else the user is told of what others do. What is left out stays.',
        z.optional(noticeWays),
      ),
    },
  }),
  updateProfile: write(signedIn, 'Changes the name of the caller.', {
    input: { displayName: personName },
  }),
} as const satisfies Record<string, CallRow>
