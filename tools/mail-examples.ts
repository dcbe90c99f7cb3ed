import type { MailOrder } from '../server/mails/mails.ts'

const project = { name: 'Ada', project: 'Engine <b>', subscriptionId: 'a1b2' }
const values: { [Order in MailOrder as Order['mail']]: Order['values'][] } = {
  verifyEmail: [{ name: 'Ada', code: 'code' }],
  resetPassword: [{ name: 'Ada', code: 'code' }],
  verifyAndChangeEmail: [{ name: 'Ada', code: 'code', newEmail: 'ada@example.org' }],
  recoverEmail: [{ name: 'Ada', code: 'code', newEmail: 'ada@example.org' }],
  securityNotice: [
    { name: 'Ada', code: 'code', change: { kind: 'passwordChanged' } },
    {
      name: 'Ada',
      code: 'code',
      change: { kind: 'emailChangeRequested', newEmail: 'ada@example.org' },
    },
    { name: 'Ada', code: 'code', change: { kind: 'providerLinked', provider: 'Google' } },
    {
      name: 'Ada',
      code: 'code',
      change: { kind: 'newDevice', userAgent: 'Firefox/1 (X11; Linux)', address: '203.0.113.7' },
    },
    {
      name: 'Ada',
      code: 'code',
      change: { kind: 'newDevice', userAgent: '', address: '2001:db8::7' },
    },
  ],
  accountDeleted: [{ name: 'Ada' }],
  invitation: [
    { name: 'Ada', code: 'code', host: 'Ben', project: 'Engine', expires: '2026-12-05T12:00:00Z' },
    { name: null, code: 'code', host: 'Ben', project: '', expires: '2026-12-05T12:00:00Z' },
  ],
  paymentFailed: [project],
  paymentWaits: [project],
  cardMissing: [{ ...project, renews: 1_800_000_000 }],
  projectCanceled: [project],
  projectEndedUnpaid: [project],
  receipt: [{ ...project, number: 'INV-1', total: 1000, currency: 'usd', url: null }],
  ownershipGiven: [
    { ...project, newOwner: 'Ben', card: null, isPaid: false },
    { ...project, newOwner: 'Ben', card: null, isPaid: true },
    { ...project, newOwner: 'Ben', card: { brand: 'visa', last4: '4242' }, isPaid: true },
  ],
  ownershipReceived: [
    { ...project, formerOwner: 'Ben', card: null, renews: null },
    { ...project, formerOwner: 'Ben', card: null, renews: 1_800_000_000 },
    {
      ...project,
      formerOwner: 'Ben',
      card: { brand: 'visa', last4: '4242' },
      renews: 1_800_000_000,
    },
  ],
}

/** Every mail, in each of its forms; whom it goes to and in which language is left to say. */
export function mailExamples(language: MailOrder['language']) {
  return Object.entries(values).flatMap(([mail, forms]) =>
    forms.map((values) => ({ mail, values, language, to: 'ada@example.com' }) as MailOrder),
  )
}
