import { brandName } from '#contract/card-brands.ts'
import { limits, rateLimits } from '#config/limits.ts'
import { permissions, type PermissionKey } from '#config/permissions.ts'
import { fallbackLanguage, type LanguageCode } from '#config/languages.ts'
import { product } from '#config/product.ts'
import { findPlan, tellingPermissions } from '#contract/access.ts'
import { formatBillingDate, formatDeadline } from '#contract/dates.ts'
import { deviceName } from '#contract/device.ts'
import type { ActionCodeMode, EpochSeconds, PaymentMethod } from '#contract/entities.ts'
import { memoize } from '#contract/memoize.ts'
import { formatMoney } from '#contract/money.ts'
import { notices, type ChosenKind, type NoticeKind } from '#contract/notices.ts'
import { paths, projectPath, type ProjectPathName } from '#contract/paths.ts'
import { loadTranslator } from '#locales/load-translator.ts'
import type { Translate, Values } from '#locales/translator.ts'
import { layOut, type FootLink, type Part } from './layout.ts'

/** A change to an account that the server mails to its owner. */
export type SecurityChange =
  | { kind: 'passwordChanged' }
  | { kind: 'emailChangeRequested'; newEmail: string }
  | { kind: 'providerLinked'; provider: string }
  | { kind: 'newDevice' | 'wrongSecondStep'; userAgent: string; address: string }
  | { kind: 'factorAdded' | 'factorRemoved'; factor: string }
  | { kind: 'factorRenamed'; from: string; to: string }
  | { kind: 'tokenCreated'; token: string }
  | { kind: 'recoveryCodesRenewed' }
  | { kind: 'recoveryCodeUsed'; left: string }

type CardWords = Pick<PaymentMethod['card'], 'brand' | 'last4'>
type OfAccount = { name: string; code: string }
type NewEmail = OfAccount & { newEmail: string }
type OfProject = { name: string; project: string; subscriptionId: string }
type Invited = { name: string | null; code: string }
type Invitation = Invited & {
  host: string
  project: string
  permissions: PermissionKey[]
  expires: string
  /** From when on the project asks for a second step, which is looked up at sending. */
  secondFactorFrom?: EpochSeconds | null
}
/** `plan` is missing in orders of an earlier version. */
type Receipt = {
  number: string
  total: number
  currency: string
  url: string | null
  plan?: string
}
/**
 * A payment that failed. `next`: when it is tried again; `ends`: when the project ends without it;
 * null if the provider has not said. `isLast`: it ends within two days.
 */
export type Unpaid = {
  amount: number
  currency: string
  card: CardWords | null
  next: EpochSeconds | null
  ends: EpochSeconds | null
  /** From when on members may only look. */
  lookOnly?: EpochSeconds | null
  isLast: boolean
}
/** `amount`, in minor units, is charged at `renews`. */
type Renewal = { amount: number; currency: string; renews: EpochSeconds }
/** `amount`: what is charged then; null for a free plan. `fits`: whether there is room for it now. */
type PlanChange = {
  plan: string
  amount: number | null
  currency: string
  at: EpochSeconds
  fits: boolean
}
/** `amount` is charged to the `card`; without one the project changes to the plan `free`, if it fits. */
type EndingTrial = { amount: number; card: CardWords | null; free: string | null }
type HandedOver = { newOwner: string; card: CardWords | null; isPaid: boolean }
/** `renews`: when the next period is charged; null if none is. */
type Offered = { by: string; expires: EpochSeconds }
type Received = {
  formerOwner: string
  card: CardWords | null
  isPaid: boolean
  renews: EpochSeconds | null
}

type TokenEnding = {
  name: string
  tokenId: string
  token: string
  of: string | null
  expires: EpochSeconds
}
type TokensEnded = { maker: string; tokens: string[] }

/** `by` is null if an operator did it. */
type Asking = OfProject & { by: string | null }

/** `by` is null if no person did it; `permissions` are the reader's. */
type Happened = OfProject & { by: string | null; permissions: PermissionKey[] }

/** `words` fill placeholders, the other texts replace those of locales/. `parts` follow the text. */
export type Content = {
  words?: Values
  subject?: string
  text?: string
  button?: string
  link: string
  parts?: Part[]
}
export type Tools = {
  t: Translate
  language: LanguageCode
  to: (path: string, query?: Record<string, string>) => string
}

const hour = 3_600_000
const day = 24 * hour

/** Every mail, by the name of its texts in locales/: subject, text, button and footer. */
const mails = {
  verifyEmail(given: OfAccount, tools: Tools) {
    const { words, link } = ofLink<OfAccount>('verifyEmail', day)(given, tools)
    return { words: { ...words, notMine: tools.t('auth.action.notMine.action') }, link }
  },

  resetPassword: ofLink<OfAccount>('resetPassword', hour),
  /** A reset that is open for as long as the account waits for its deletion. */
  accountRejected: ({ code, hours, ...words }: OfAccount & { hours?: number }, tools: Tools) => ({
    words: { ...words, count: hours ?? limits.rejectedAccount / hour },
    link: action('resetPassword', code, tools),
  }),

  verifyAndChangeEmail: ofLink<NewEmail>('verifyAndChangeEmail', hour),
  recoverEmail: ofLink<NewEmail>('recoverEmail', day),

  securityNotice({ change, code }: OfAccount & { change: SecurityChange }, tools: Tools) {
    const { t } = tools
    const device =
      'userAgent' in change && (deviceName(change.userAgent, t) ?? t('profile.sessions.someDevice'))
    const words = { ...change, ...(device && { device }) }
    const count = limits.actionCodes.secureAccount / day
    const most = rateLimits.newDeviceNoticesByAccount.tries
    return {
      subject: t(`mails.securityNotice.subjects.${change.kind}`, words),
      text: sentences(
        t,
        t(`mails.securityNotice.${change.kind}`, words),
        t('mails.securityNotice.question', { count }),
        change.kind === 'newDevice' && t('mails.securityNotice.fewMails', { most }),
      ),
      link: action('secureAccount', code, tools),
    }
  },

  factorsRemovedLater: ({ code, at }: OfAccount & { at: string }, tools: Tools) => ({
    words: { date: formatDeadline(at, tools.language) },
    link: action('keepFactors', code, tools),
  }),

  accountDeleted: (_: { name: string }, { to }: Tools) => ({ link: to(paths.signIn) }),

  invitation(
    { host, project, code, expires, secondFactorFrom, ...given }: Invitation,
    tools: Tools,
  ) {
    const { t, language, to } = tools
    const { role, meanings } = roleOf(given.permissions, tools)
    const date = formatDeadline(expires, language)
    const words = { host, project: project || t('common.untitledProject'), role, date }
    const asks =
      secondFactorFrom &&
      t('invites.asksForStep', { date: formatDeadline(secondFactorFrom, language) })
    const [text, until] = [t('mails.invitation.text', words), t('mails.invitation.until', words)]
    return {
      words,
      text: sentences(t, text, ...meanings, asks, until),
      link: to(paths.invitation, { code, lang: language }),
    }
  },

  paymentFailed: ofUnpaid,
  paymentWaits(given: OfProject & Partial<Unpaid>, tools: Tools) {
    const { text, ...content } = ofUnpaid(given, tools)
    if (text === undefined) return content
    return { ...content, text: sentences(tools.t, text, tools.t('mails.unpaid.waits')) }
  },
  /** For administrators, who can't pay it. */
  projectUnpaid({ owner, ...given }: OfProject & Unpaid & { owner: string }, tools: Tools) {
    const { t } = tools
    const { text, ...content } = ofUnpaid(given, tools)
    const pays = t('mails.unpaid.ownerPays', { owner: owner || t('activity.deleted') })
    return { ...content, text: sentences(t, text, pays) }
  },

  cardMissing({ renews, ...given }: OfProject & { renews: EpochSeconds }, tools: Tools) {
    const date = formatBillingDate(renews, tools.language)
    return ofProject(given, tools, { date }, 'managePaymentMethods')
  },

  renewalAhead({ amount, currency, renews, ...given }: OfProject & Renewal, tools: Tools) {
    const date = formatBillingDate(renews, tools.language)
    return ofProject(given, tools, { amount: formatMoney(amount, currency), date })
  },

  trialEnds(
    {
      amount,
      currency,
      ends,
      card,
      free,
      ...given
    }: OfProject & EndingTrial & { currency: string; ends: EpochSeconds },
    tools: Tools,
  ) {
    const { t, language } = tools
    const own = {
      amount: formatMoney(amount, currency),
      date: formatBillingDate(ends, language),
      ...(card && named(card)),
      plan: free ? planName(free, t) : '',
      count: limits.trialOver / day,
    }
    const content = ofProject(given, tools, own, card ? 'billing' : 'managePaymentMethods')
    const { words } = content
    if (card) return { ...content, text: t('mails.trialEnds.text', words) }
    const then = t(free ? 'mails.trialEnds.toFree' : 'mails.trialEnds.lookOnly', words)
    return {
      ...content,
      text: sentences(t, t('mails.trialEnds.noCard', words), then),
      button: t('mails.cardMissing.button'),
    }
  },
  trialOver(
    { plan, until, ...given }: OfProject & { plan: string; until: EpochSeconds },
    tools: Tools,
  ) {
    const date = formatBillingDate(until, tools.language)
    return ofProject(given, tools, { plan: planName(plan, tools.t), date })
  },
  trialToFree({ plan, from, ...given }: OfProject & { plan: string; from: string }, tools: Tools) {
    const { t } = tools
    return ofProject(given, tools, { plan: planName(plan, t), from: planName(from, t) })
  },

  planChangeAhead(
    { plan, amount: due, currency, at, fits, ...given }: OfProject & PlanChange,
    tools: Tools,
  ) {
    const { t, language } = tools
    const amount = due === null ? '' : formatMoney(due, currency)
    const own = { plan: planName(plan, t), amount, date: formatBillingDate(at, language) }
    const { words, link } = ofProject(given, tools, own)
    const text = t(
      due === null ? 'mails.planChangeAhead.free' : 'mails.planChangeAhead.text',
      words,
    )
    const tooSmall = !fits && t('mails.planChangeAhead.tooSmall', words)
    return { words, text: sentences(t, text, tooSmall), link }
  },

  planChangeKept({ plan, to, ...given }: OfProject & { plan: string; to: string }, tools: Tools) {
    const { t } = tools
    return ofProject(given, tools, { plan: planName(plan, t), to: planName(to, t) })
  },

  projectCanceled: ofProject<{}>,
  projectEndedUnpaid: ofProject<{}>,

  /** Before the project has a name, the plan and the number tell which one it is for. */
  receipt({ number, total, currency, url, plan, ...given }: OfProject & Receipt, tools: Tools) {
    const { t } = tools
    const own = { number, amount: formatMoney(total, currency) }
    const { words, link } = ofProject(given, tools, own)
    const title = plan && !given.project && findPlan(plan)?.titleKey
    return {
      words,
      link: url ?? link,
      ...(title && {
        subject: t('mails.receipt.unnamed.subject', words),
        text: t('mails.receipt.unnamed.text', { ...words, plan: t(title) }),
      }),
    }
  },

  ownershipGiven({ newOwner, card, isPaid, ...given }: OfProject & HandedOver, tools: Tools) {
    const { t, to } = tools
    const { words, link } = ofProject(given, tools, { newOwner })
    const text = t('mails.ownershipGiven.text', words)
    if (!isPaid) return { words, text, link }
    const ofCard = card
      ? t('mails.ownershipGiven.card', { ...words, ...named(card) })
      : t('mails.ownershipGiven.noCard')
    return {
      words,
      text: sentences(t, text, ofCard),
      link,
      ...(card && { link: to(paths.profile), button: t('auth.action.toProfile') }),
    }
  },

  ownershipReceived(received: OfProject & Received, tools: Tools) {
    const { formerOwner, card, isPaid, renews, ...given } = received
    const { t, language } = tools
    const own = { formerOwner: formerOwner || t('activity.deleted') }
    const { words, link } = ofProject(given, tools, own)
    const text = t('mails.ownershipReceived.text', words)
    if (renews === null && !isPaid) return { words, text, link }
    const date = renews === null ? '' : formatBillingDate(renews, language)
    const key = renews === null ? 'noCharge' : card ? 'card' : 'noCard'
    const ofCharge = { ...words, ...(card && named(card)), date }
    return { words, text: sentences(t, text, t(`mails.ownershipReceived.${key}`, ofCharge)), link }
  },

  ownershipOffered({ by, expires, ...given }: OfProject & Offered, tools: Tools) {
    return ofProject(given, tools, { by, date: formatDeadline(expires, tools.language) })
  },
  ownershipDeclined: ({ by, ...given }: OfProject & { by: string }, tools: Tools) =>
    ofProject(given, tools, { by }),

  /** For members who have none. It is the reminder, too. */
  secondFactorRequired({ from, by, ...given }: Asking & { from: EpochSeconds }, tools: Tools) {
    const own = { by: by ?? product.name, date: formatDeadline(from, tools.language) }
    return { ...ofProject(given, tools, own), link: tools.to(paths.profile) }
  },
  secondFactorNotRequired: ({ by, ...given }: Asking, tools: Tools) =>
    ofProject(given, tools, { by: by ?? product.name }, 'settings'),

  /** To a token's maker. `of`: the id of the project that it is for, or null. */
  tokenEnds({ token, of, expires }: TokenEnding, { language, to }: Tools) {
    const words = { token, date: formatDeadline(expires, language) }
    const place = of === null ? paths.profile : projectPath('settings', of)
    return { words, link: to(`${place}#tokens`) }
  },
  /** To the administrators of a project. */
  tokensEnded({ maker, tokens, ...given }: OfProject & TokensEnded, tools: Tools) {
    const named = listFormat(tools.language).format(tokens)
    const own = { maker: maker || tools.t('activity.deleted'), tokens: named }
    const { words, link } = ofProject(given, tools, own, 'settings')
    return { words, link: `${link}#tokens` }
  },

  memberRemoved: (given: Happened, tools: Tools) => ({
    ...happened(given, tools),
    link: tools.to(paths.dashboard),
  }),

  roleChanged: ofRole('roleChanged'),
  joinAccepted: ofRole('joinAccepted'),

  /** For administrators. The owner gets `projectCanceled` or `projectEndedUnpaid`. */
  projectEnded(given: Happened, tools: Tools) {
    const content = happened(given, tools)
    if (given.by !== null) return content
    return { ...content, text: tools.t('mails.projectEnded.byNobody', content.words) }
  },

  invitationAccepted: ofPeople('invitationAccepted'),
  joinRequested: ofPeople('joinRequested'),
} satisfies Record<string, (values: never, tools: Tools) => Content>

type Mails = typeof mails

/**
 * The values of the mails of modules, by names like `boats.sold`: their server.ts adds them. Their
 * texts are in the module's words, under `mails`.
 */
// oxlint-disable-next-line typescript/consistent-type-definitions -- only interfaces can be added to
export interface ModuleMails {}

/** The name of a mail's reader begins it. */
export type Named = { name: string | null }
export type MailOfModule<Values> = (values: Values & Named, tools: Tools) => Content
export type MailsOfModules = Record<string, MailOfModule<never>>

/** The payload of the job `sendMail`. It is plain JSON, because it waits in the database. */
export type MailOrder =
  | CoreMailOrder
  // oxlint-disable-next-line typescript/no-redundant-type-constituents -- modules add to ModuleMails
  | { [Name in keyof ModuleMails]: Order<Name, ModuleMails[Name] & Named> }[keyof ModuleMails]

export type CoreMailOrder = {
  [Name in keyof Mails]: Order<Name, Parameters<Mails[Name]>[0]>
}[keyof Mails]

type Order<Name, Values> = {
  mail: Name
  to: string
  language: LanguageCode | null
  values: Values
  /** What the reader may end by a link in the mail. */
  stop?: Stop | undefined
}

/** Mails to a user of one kind or of the day, or invitations to a mailbox, by its key. */
export type Stop = { user: string; kind: ChosenKind | 'digest' } | { mailbox: string }

/** Why mails come that are no notices, by their texts in `mails.why`. */
const becauseOf = {
  verifyEmail: 'address',
  resetPassword: 'account',
  accountRejected: 'account',
  verifyAndChangeEmail: 'address',
  recoverEmail: 'account',
  securityNotice: 'account',
  factorsRemovedLater: 'account',
  accountDeleted: 'account',
  invitation: 'invited',
} as const satisfies Record<Exclude<keyof Mails, NoticeKind>, string>

/** The notices that end with more than why they came. */
const withFooter = ['receipt', 'ownershipGiven', 'ownershipReceived'] as const

/**
 * Renders a mail in the reader's language. Its links begin with `publicUrl`; `stopUrl` is the one by
 * which it ends mails like it.
 */
export async function renderMail(
  order: MailOrder,
  publicUrl: string,
  ofModules: MailsOfModules = {},
  stopUrl?: string,
) {
  const { values, stop } = order
  const rendered = await contentOf(order, publicUrl, ofModules)
  const { language, t, texts, words, subject, text, button, link, parts = [] } = rendered
  const isChosen = stop !== undefined && 'user' in stop
  const laidOut = await layOut({
    language,
    greeting: values.name ? t('mails.greeting', { name: values.name }) : t('mails.greetingUnknown'),
    subject,
    text: text ?? t(`${texts}.text`, words),
    button: button ?? t(`${texts}.button`, words),
    footer: footerOf(order.mail, t, words),
    link,
    parts,
    linkHint: t('mails.linkHint'),
    home: product.frontOfHouse ? `${publicUrl}${paths.welcome}` : undefined,
    footLinks: [
      ...(isChosen
        ? [{ label: t('mails.notices.choose'), url: `${publicUrl}${paths.profile}#emails` }]
        : []),
      ...(stopUrl ? [{ label: t('mails.notices.stop'), url: stopUrl }] : []),
      ...footLinks(t),
    ],
  })
  return { ...laidOut, ...(isChosen && stopUrl && { unsubscribe: stopUrl }) }
}

type Ordered = Pick<MailOrder, 'mail' | 'values' | 'language'>

/** What a mail says, its subject for one, in the reader's language. */
export async function contentOf(
  { mail, values, ...order }: Ordered,
  publicUrl: string,
  ofModules: MailsOfModules,
) {
  const language = order.language ?? fallbackLanguage
  const t = await loadTranslator(language)
  const to: Tools['to'] = (path, query) =>
    `${publicUrl}${path}${query ? `?${new URLSearchParams(query).toString()}` : ''}`
  const all: MailsOfModules = { ...mails, ...ofModules }
  const content = (all[mail] as MailOfModule<MailOrder['values']>)(values, { t, language, to })
  // A security notice has its own subject and text.
  const texts = `mails.${mail as Exclude<typeof mail, 'securityNotice'>}` as const
  const subject = content.subject ?? t(`${texts}.subject`, content.words)
  return { ...content, subject, texts, language, t }
}

/** Says why the mail came, and what else ends it. */
function footerOf(mail: MailOrder['mail'], t: Translate, words: Values | undefined) {
  if (Object.hasOwn(notices, mail)) {
    const why = t(`mails.why.${notices[mail as NoticeKind].reader}`, words)
    const more = withFooter.find((name) => name === mail)
    return sentences(t, why, more && t(`mails.${more}.footer`, words))
  }
  if (!Object.hasOwn(becauseOf, mail)) return t(`mails.${mail as keyof ModuleMails}.footer`, words)
  const named = mail as keyof typeof becauseOf
  return sentences(t, t(`mails.why.${becauseOf[named]}`, words), t(`mails.${named}.footer`, words))
}

function sentences(t: Translate, ...texts: (string | false | 0 | null | undefined)[]) {
  return texts
    .filter((text) => typeof text === 'string')
    .reduce((first, second) => t('common.sentences', { first, second }))
}

const listFormat = memoize((language: LanguageCode) => new Intl.ListFormat(language))

/** The addresses that config/product.ts sets. */
function footLinks(t: Translate): FootLink[] {
  const { helpUrl, termsUrl, privacyUrl, supportEmail } = product
  const links = [
    { label: t('mails.foot.help'), url: helpUrl },
    { label: t('mails.foot.terms'), url: termsUrl },
    { label: t('mails.foot.privacy'), url: privacyUrl },
    { label: t('mails.foot.support'), url: supportEmail && `mailto:${supportEmail}` },
  ]
  return links.filter((link): link is FootLink => Boolean(link.url))
}

/** Says within how many hours or days the link must be used. */
function ofLink<Given extends OfAccount>(mode: ActionCodeMode, unit: number) {
  return (given: Given, tools: Tools) => ({
    words: { ...given, count: limits.actionCodes[mode] / unit },
    link: action(mode, given.code, tools),
  })
}

function action(mode: ActionCodeMode, code: string, { language, to }: Tools) {
  return to(paths.authAction, { mode, oobCode: code, lang: language })
}

function planName(id: string, t: Translate) {
  const plan = findPlan(id)
  return plan ? t(plan.titleKey) : id
}

function ofProject<Own extends Values>(
  { project, subscriptionId }: OfProject,
  { t, to }: Tools,
  own: Own = {} as Own,
  screen: ProjectPathName = 'billing',
) {
  return {
    words: { project: project || t('common.untitledProject'), ...own },
    link: to(projectPath(screen, subscriptionId)),
  }
}

/** Orders of an earlier version say less. */
function ofUnpaid(given: OfProject & Partial<Unpaid>, tools: Tools): Content {
  const { t, language } = tools
  const { amount, currency, card, next, ends, lookOnly, isLast } = given
  const { words, link } = ofProject(given, tools)
  if (amount === undefined || currency === undefined) return { words, link }
  const sum = { ...words, amount: formatMoney(amount, currency) }
  const on = (moment: EpochSeconds) => ({ ...words, date: formatBillingDate(moment, language) })
  return {
    words,
    link,
    text: sentences(
      t,
      card ? t('mails.unpaid.declined', { ...sum, ...named(card) }) : t('mails.unpaid.failed', sum),
      next && t('mails.unpaid.next', on(next)),
      lookOnly && t('mails.unpaid.lookOnly', on(lookOnly)),
      ends && t('mails.unpaid.ends', { date: formatDeadline(ends, language) }),
    ),
    ...(isLast && ends && { subject: t('mails.unpaid.lastSubject', on(ends)) }),
  }
}

function happened(given: Happened, tools: Tools, screen: ProjectPathName = 'subscription') {
  return ofProject(given, tools, { by: given.by ?? '' }, screen)
}

/** To administrators, about somebody who comes. Others can cause any number of these. */
function ofPeople(mail: 'invitationAccepted' | 'joinRequested') {
  return (given: Happened, tools: Tools) => {
    const { t } = tools
    const content = happened(given, tools, 'users')
    return { ...content, text: sentences(t, t(`mails.${mail}.text`, content.words), fewMails(t)) }
  }
}

/** To somebody who has come or has another role: what they may do now. */
function ofRole(mail: 'roleChanged' | 'joinAccepted') {
  return (given: Happened, tools: Tools) => {
    const { t } = tools
    const content = happened(given, tools)
    const { role, meanings } = roleOf(given.permissions, tools)
    const text = t(`mails.${mail}.text`, { ...content.words, role })
    return { ...content, text: sentences(t, text, ...meanings, fewMails(t)) }
  }
}

function fewMails(t: Translate) {
  return t('mails.notices.fewMails', { most: rateLimits.noticesByAccount.tries })
}

/** As what somebody is in a project, and what that allows. */
function roleOf(held: PermissionKey[], { t, language }: Tools) {
  const keys = tellingPermissions(held)
  return {
    role: listFormat(language).format(keys.map((key) => t(permissions[key].as))),
    meanings: keys.map((key) => t(permissions[key].text)),
  }
}

function named({ brand, last4 }: CardWords) {
  return { brand: brandName(brand), last4 }
}
