import { brandName } from '#contract/card-brands.ts'
import { limits } from '#config/limits.ts'
import { fallbackLanguage, type LanguageCode } from '#config/languages.ts'
import { formatDate } from '#contract/dates.ts'
import { deviceName } from '#contract/device.ts'
import type { EpochSeconds, PaymentMethod } from '#contract/entities.ts'
import { formatMoney } from '#contract/money.ts'
import { paths, projectPath } from '#contract/paths.ts'
import type { Translate, Values } from '#locales/translator.ts'
import { layOut } from './layout.ts'
import { translator } from './translator.ts'

/** What an account's owner is told of when it happens. */
export type SecurityChange =
  | { kind: 'passwordChanged' }
  | { kind: 'emailChangeRequested'; newEmail: string }
  | { kind: 'providerLinked'; provider: string }
  | { kind: 'newDevice'; userAgent: string; address: string }

type CardWords = Pick<PaymentMethod['card'], 'brand' | 'last4'>
type OfProject = { name: string; project: string; subscriptionId: string }

/** Every mail the product sends, with what it is told. */
type MailValues = {
  verifyEmail: { name: string; code: string }
  resetPassword: { name: string; code: string }
  verifyAndChangeEmail: { name: string; code: string; newEmail: string }
  recoverEmail: { name: string; code: string; newEmail: string }
  securityNotice: { name: string; code: string; change: SecurityChange }
  accountDeleted: { name: string }
  invitation: { name: string | null; code: string; host: string; project: string; expires: string }
  paymentFailed: OfProject
  paymentWaits: OfProject
  cardMissing: OfProject & { renews: EpochSeconds }
  projectCanceled: OfProject
  projectEndedUnpaid: OfProject
  receipt: OfProject & { number: string; total: number; currency: string; url: string | null }
  ownershipGiven: OfProject & { newOwner: string; card: CardWords | null; isPaid: boolean }
  /** `renews`: when the next week is charged; missing where nothing is paid for. */
  ownershipReceived: OfProject & {
    formerOwner: string
    card: CardWords | null
    renews: EpochSeconds | null
  }
}

/** What the job is told. Plain JSON: it waits in the database. */
export type MailOrder = {
  [Name in keyof MailValues]: {
    mail: Name
    to: string
    language: LanguageCode | null
    values: MailValues[Name]
  }
}[keyof MailValues]

/** What a mail says beyond its subject, text, button and footer in locales/, or instead of them: the words that go into them, and where its button leads. */
type Content = { words?: Values; subject?: string; text?: string; link: string }
type Tools = {
  t: Translate
  language: LanguageCode
  to: (path: string, query?: Record<string, string>) => string
}

const hour = 3_600_000
const day = 24 * hour

const contents: {
  [Name in keyof MailValues]: (values: MailValues[Name], tools: Tools) => Content
} = {
  verifyEmail: ({ code }, tools) => ({
    words: {
      count: limits.actionCodes.verifyEmail / day,
      notMine: tools.t('auth.action.notMine.action'),
    },
    link: action('verifyEmail', code, tools),
  }),

  resetPassword: ({ code }, tools) => ({
    words: { count: limits.actionCodes.resetPassword / hour },
    link: action('resetPassword', code, tools),
  }),

  verifyAndChangeEmail: ({ code, newEmail }, tools) => ({
    words: { newEmail, count: limits.actionCodes.verifyAndChangeEmail / hour },
    link: action('verifyAndChangeEmail', code, tools),
  }),

  recoverEmail: ({ code, newEmail }, tools) => ({
    words: { newEmail, count: limits.actionCodes.recoverEmail / day },
    link: action('recoverEmail', code, tools),
  }),

  securityNotice({ change, code }, tools) {
    const { t } = tools
    const question = t('mails.securityNotice.question', {
      count: limits.actionCodes.secureAccount / day,
    })
    return {
      ...(change.kind === 'newDevice' && { subject: t('mails.securityNotice.newDeviceSubject') }),
      text: t('common.sentences', { first: inWords(change, t), second: question }),
      link: action('secureAccount', code, tools),
    }
  },

  accountDeleted: (_, { to }) => ({ link: to(paths.signIn) }),

  invitation({ host, project, code, expires }, { t, language, to }) {
    const words = {
      host,
      project: project || t('common.untitledProject'),
      date: formatDate(expires, language, 'UTC'),
    }
    return { words, link: to(paths.invitation, { code, lang: language }) }
  },

  paymentFailed: ofProject,
  paymentWaits: ofProject,

  cardMissing({ renews, ...values }, tools) {
    const { words } = ofProject(values, tools)
    const link = tools.to(projectPath('managePaymentMethods', values.subscriptionId))
    return { words: { ...words, date: formatDate(renews, tools.language, 'UTC') }, link }
  },

  projectCanceled: ofProject,
  projectEndedUnpaid: ofProject,

  receipt({ number, total, currency, url, ...values }, tools) {
    const { words, link } = ofProject(values, tools)
    return { words: { ...words, number, amount: formatMoney(total, currency) }, link: url ?? link }
  },

  ownershipGiven({ newOwner, card, isPaid, ...values }, tools) {
    const { words, link } = ofProject(values, tools)
    const { t } = tools
    const said = { ...words, newOwner }
    const text = t('mails.ownershipGiven.text', said)
    if (!isPaid) return { words: said, text, link }
    const pays = card
      ? t('mails.ownershipGiven.card', { ...said, ...named(card) })
      : t('mails.ownershipGiven.noCard')
    return {
      words: said,
      text: t('common.sentences', { first: text, second: pays }),
      link: card ? tools.to(paths.profile) : link,
    }
  },

  ownershipReceived({ formerOwner, card, renews, ...values }, tools) {
    const { words, link } = ofProject(values, tools)
    const { t, language } = tools
    const said = { ...words, formerOwner: formerOwner || t('activity.deleted') }
    const text = t('mails.ownershipReceived.text', said)
    const date = renews === null ? '' : formatDate(renews, language, 'UTC')
    if (renews === null) return { words: said, text, link }
    const pays = card
      ? t('mails.ownershipReceived.card', { ...said, ...named(card), date })
      : t('mails.ownershipReceived.noCard', { ...said, date })
    return { words: said, text: t('common.sentences', { first: text, second: pays }), link }
  },
}

/** The mail in the reader's language; links lead to `publicUrl`, or to the provider's page of an invoice. */
export async function renderMail(order: MailOrder, publicUrl: string) {
  const { mail, values } = order
  const language = order.language ?? fallbackLanguage
  const t = await translator(language)
  const to: Tools['to'] = (path, query) =>
    `${publicUrl}${path}${query ? `?${new URLSearchParams(query).toString()}` : ''}`
  const content = contents[mail] as (values: MailOrder['values'], tools: Tools) => Content
  const { words, subject, text, link } = content(values, { t, language, to })
  return layOut({
    language,
    greeting: values.name ? t('mails.greeting', { name: values.name }) : t('mails.greetingUnknown'),
    subject: subject ?? t(`mails.${mail}.subject`, words),
    text: text ?? t(`mails.${mail as Exclude<typeof mail, 'securityNotice'>}.text`, words),
    button: t(`mails.${mail}.button`, words),
    footer: t(`mails.${mail}.footer`, words),
    link,
    linkHint: t('mails.linkHint'),
  })
}

function inWords(change: SecurityChange, t: Translate) {
  switch (change.kind) {
    case 'passwordChanged':
      return t('mails.securityNotice.passwordChanged')
    case 'emailChangeRequested':
      return t('mails.securityNotice.emailChangeRequested', { newEmail: change.newEmail })
    case 'providerLinked':
      return t('mails.securityNotice.providerLinked', { provider: change.provider })
    case 'newDevice': {
      const { userAgent, address } = change
      return t('mails.securityNotice.newDevice', {
        device: deviceName(userAgent, t) ?? t('profile.sessions.someDevice'),
        address,
      })
    }
  }
}

function action(mode: string, code: string, { language, to }: Tools) {
  return to(paths.authAction, { mode, oobCode: code, lang: language })
}

function ofProject({ project, subscriptionId }: OfProject, { t, to }: Tools) {
  return {
    words: { project: project || t('common.untitledProject') },
    link: to(projectPath('billing', subscriptionId)),
  }
}

function named({ brand, last4 }: CardWords) {
  return { brand: brandName(brand), last4 }
}
