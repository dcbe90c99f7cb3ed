import type { PermissionKey } from '#config/permissions.ts'
import { isChosen } from '#contract/notices.ts'
import { loadExamples } from '../operate/seed/examples.ts'
import type { CoreMailOrder, MailOrder } from '../server/mails/mails.ts'

type Examples = {
  [Name in CoreMailOrder['mail']]: Extract<CoreMailOrder, { mail: Name }>['values'][]
}

const account = { name: 'Ada', code: 'code' }
const moved = { ...account, newEmail: 'ada@example.org' }
const project = { name: 'Ada', project: 'Engine <b>', subscriptionId: 'a1b2' }
const card = { brand: 'visa', last4: '4242' }
const renews = 1_800_000_000

const receipt = { number: 'INV-1', total: 1000, currency: 'usd', url: null }
const unpaid = { amount: 1000, currency: 'usd', card, next: renews, ends: renews, isLast: false }
const permissions: PermissionKey[] = ['access', 'editor', 'admin']
const happened = { ...project, by: 'Ben', permissions }

/** The values of every mail of the core, one for each of its forms. */
const ofCore: Examples = {
  verifyEmail: [account],
  resetPassword: [account],
  verifyAndChangeEmail: [moved],
  recoverEmail: [moved],
  securityNotice: [
    { ...account, change: { kind: 'passwordChanged' } },
    { ...account, change: { kind: 'emailChangeRequested', newEmail: 'ada@example.org' } },
    { ...account, change: { kind: 'providerLinked', provider: 'Google' } },
    {
      ...account,
      change: { kind: 'newDevice', userAgent: 'Firefox/1 (X11; Linux)', address: '203.0.113.7' },
    },
    { ...account, change: { kind: 'newDevice', userAgent: '', address: '2001:db8::7' } },
    { ...account, change: { kind: 'wrongSecondStep', userAgent: '', address: '203.0.113.7' } },
    { ...account, change: { kind: 'factorAdded', factor: 'Phone' } },
    { ...account, change: { kind: 'factorRenamed', from: 'Phone', to: 'Old phone' } },
    { ...account, change: { kind: 'factorRemoved', factor: 'Phone' } },
    { ...account, change: { kind: 'tokenCreated', token: 'CI' } },
    { ...account, change: { kind: 'recoveryCodesRenewed' } },
    { ...account, change: { kind: 'recoveryCodeUsed', left: '9' } },
  ],
  factorsRemovedLater: [{ ...account, at: '2026-12-05T12:00:00Z' }],
  accountDeleted: [{ name: 'Ada' }],
  accountRejected: [account],
  invitation: [
    {
      ...account,
      host: 'Ben',
      project: 'Engine',
      permissions,
      expires: '2026-12-05T12:00:00Z',
      secondFactorFrom: renews,
    },
    {
      name: null,
      code: 'code',
      host: 'Ben',
      project: '',
      permissions: [],
      expires: '2026-12-05T12:00:00Z',
    },
  ],
  paymentFailed: [project, { ...project, ...unpaid }, { ...project, ...unpaid, isLast: true }],
  paymentWaits: [project, { ...project, ...unpaid, card: null }],
  projectUnpaid: [{ ...project, ...unpaid, card: null, owner: 'Ben' }],
  cardMissing: [{ ...project, renews }],
  renewalAhead: [{ ...project, amount: 40_000, currency: 'usd', renews }],
  trialEnds: [
    { ...project, amount: 4000, currency: 'usd', ends: renews, card, free: null },
    { ...project, amount: 4000, currency: 'usd', ends: renews, card: null, free: 'free' },
    { ...project, amount: 4000, currency: 'usd', ends: renews, card: null, free: null },
  ],
  trialOver: [{ ...project, plan: 'pro', until: renews }],
  trialToFree: [{ ...project, from: 'pro', plan: 'free' }],
  planChangeAhead: [
    { ...project, plan: 'pro', amount: 1000, currency: 'usd', at: renews, fits: true },
    { ...project, plan: 'free', amount: null, currency: 'usd', at: renews, fits: false },
  ],
  planChangeKept: [{ ...project, plan: 'enterprise', to: 'pro' }],
  secondFactorRequired: [
    { ...project, by: 'Ben', from: renews },
    { ...project, by: null, from: renews },
  ],
  secondFactorNotRequired: [
    { ...project, by: 'Ben' },
    { ...project, by: null },
  ],
  tokenEnds: [
    { name: 'Ada', tokenId: 'id', token: 'CI', of: null, expires: renews },
    { name: 'Ada', tokenId: 'id', token: 'CI', of: 'a1b2', expires: renews },
  ],
  tokensEnded: [{ ...project, maker: 'Ben', tokens: ['CI', 'Import'] }],
  projectCanceled: [project],
  projectEndedUnpaid: [project],
  receipt: [
    { ...project, ...receipt },
    { ...project, project: '', ...receipt, plan: 'pro' },
  ],
  ownershipGiven: [
    { ...project, newOwner: 'Ben', card: null, isPaid: false },
    { ...project, newOwner: 'Ben', card: null, isPaid: true },
    { ...project, newOwner: 'Ben', card, isPaid: true },
  ],
  ownershipReceived: [
    { ...project, formerOwner: 'Ben', card: null, isPaid: false, renews: null },
    { ...project, formerOwner: 'Ben', card: null, isPaid: true, renews: null },
    { ...project, formerOwner: 'Ben', card: null, isPaid: true, renews },
    { ...project, formerOwner: 'Ben', card, isPaid: true, renews },
  ],
  ownershipOffered: [{ ...project, by: 'Ben', expires: renews }],
  ownershipDeclined: [{ ...project, by: 'Ben' }],
  memberRemoved: [{ ...happened, permissions: [] }],
  roleChanged: [happened],
  projectEnded: [happened, { ...happened, by: null }],
  invitationAccepted: [happened],
  joinRequested: [happened],
  joinAccepted: [happened],
}

const ofModules = (await loadExamples()).map(({ mails = {} }) => mails)
const examples: Record<string, object[]> = Object.assign({}, ofCore, ...ofModules)

function stopOf(mail: string): MailOrder['stop'] {
  if (mail === 'invitation') return { mailbox: 'm' }
  if (mail === 'notices.digest') return { user: 'u', kind: 'digest' }
  return isChosen(mail) ? { user: 'u', kind: mail } : undefined
}

/** An order for every mail, also of the modules that are on, in each of its forms. */
export function mailExamples(language: MailOrder['language']) {
  return Object.entries(examples).flatMap(([mail, all]) =>
    all.map(
      (values) =>
        ({ mail, values, language, to: 'ada@example.com', stop: stopOf(mail) }) as MailOrder,
    ),
  )
}
