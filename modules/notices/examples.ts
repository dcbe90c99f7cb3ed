import type { Examples } from '../../server/core/modules.ts'

export const inputs: Examples['inputs'] = {
  saveTimeZone: async () => ({ timeZone: 'Europe/Berlin' }),
}

const lines = ['Ben joined Engine <b> · Nov 28, 2026, 3:12 PM']

export const mails: Examples['mails'] = {
  'notices.digest': [
    {
      name: 'Ada',
      count: 100,
      projects: [
        {
          project: 'Engine <b>',
          counts: [
            ['invitationAccepted', 64],
            ['roleChanged', 1],
          ],
          lines,
          more: 63,
        },
        { project: '', counts: [['projectEnded', 1]], lines, more: 0 },
      ],
      others: 34,
    },
  ],
}
