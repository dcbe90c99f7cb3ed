import { brandName } from '#contract/card-brands.ts'
import { limits } from '#config/limits.ts'
import { fallbackLanguage, type LanguageCode } from '#config/languages.ts'
import { product } from '#config/product.ts'
import { formatDate } from '#contract/dates.ts'
import { deviceName } from '#contract/device.ts'
import type { ActionCodeMode, EpochSeconds, PaymentMethod } from '#contract/entities.ts'
import { formatMoney } from '#contract/money.ts'
import { paths, projectPath } from '#contract/paths.ts'
import { loadTranslator } from '#locales/load-translator.ts'
import type { Translate, Values } from '#locales/translator.ts'
import { layOut } from './layout.ts'

/** A change to an account that the server mails to its owner. */
export type SecurityChange =
  | { kind: 'passwordChanged' }
  | { kind: 'emailChangeRequested'; newEmail: string }
  | { kind: 'providerLinked'; provider: string }
  | { kind: 'newDevice'; userAgent: string; address: string }

type CardWords = Pick<PaymentMethod['card'], 'brand' | 'last4'>
type OfAccount = { name: string; code: string }
type NewEmail = OfAccount & { newEmail: string }
type OfProject = { name: string; project: string; subscriptionId: string }

/** `words` fill placeholders, `subject` and `text` replace those of locales/. */
type Content = { words?: Values; subject?: string; text?: string; link: string }
type Tools = {
  t: Translate
  language: LanguageCode
  to: (path: string, query?: Record<string, string>) => string
}
/** `examples`: one for each form of the mail. Tests and `npm run screens` show them all. */
type Mail<Given> = { content: (given: Given, tools: Tools) => Content; examples: Given[] }

const hour = 3_600_000
const day = 24 * hour
const account: OfAccount = { name: 'Ada', code: 'code' }
const moved: NewEmail = { ...account, newEmail: 'ada@example.org' }
const project: OfProject = { name: 'Ada', project: 'Engine <b>', subscriptionId: 'a1b2' }
const visa: CardWords = { brand: 'visa', last4: '4242' }

/** Every mail, by the name of its texts in locales/: subject, text, button and footer. */
const mails = {
  verifyEmail: mail<OfAccount>([account], (given, tools) => {
    const { words, link } = ofLink('verifyEmail', day)(given, tools)
    return { words: { ...words, notMine: tools.t('auth.action.notMine.action') }, link }
  }),

  resetPassword: mail<OfAccount>([account], ofLink('resetPassword', hour)),
  verifyAndChangeEmail: mail<NewEmail>([moved], ofLink('verifyAndChangeEmail', hour)),
  recoverEmail: mail<NewEmail>([moved], ofLink('recoverEmail', day)),

  securityNotice: mail<OfAccount & { change: SecurityChange }>(
    [
      { ...account, change: { kind: 'passwordChanged' } },
      { ...account, change: { kind: 'emailChangeRequested', newEmail: 'ada@example.org' } },
      { ...account, change: { kind: 'providerLinked', provider: 'Google' } },
      {
        ...account,
        change: { kind: 'newDevice', userAgent: 'Firefox/1 (X11; Linux)', address: '203.0.113.7' },
      },
      { ...account, change: { kind: 'newDevice', userAgent: '', address: '2001:db8::7' } },
    ],
    ({ change, code }, tools) => {
      const { t } = tools
      const isDevice = change.kind === 'newDevice'
      const device =
        isDevice && (deviceName(change.userAgent, t) ?? t('profile.sessions.someDevice'))
      const first = t(`mails.securityNotice.${change.kind}`, {
        ...change,
        ...(device && { device }),
      })
      const count = limits.actionCodes.secureAccount / day
      const second = t('mails.securityNotice.question', { count })
      return {
        ...(isDevice && { subject: t('mails.securityNotice.newDeviceSubject') }),
        text: t('common.sentences', { first, second }),
        link: action('secureAccount', code, tools),
      }
    },
  ),

  accountDeleted: mail<{ name: string }>([{ name: 'Ada' }], (_, { to }) => ({
    link: to(paths.signIn),
  })),

  invitation: mail<{
    name: string | null
    code: string
    host: string
    project: string
    expires: string
  }>(
    [
      { ...account, host: 'Ben', project: 'Engine', expires: '2026-12-05T12:00:00Z' },
      { name: null, code: 'code', host: 'Ben', project: '', expires: '2026-12-05T12:00:00Z' },
    ],
    ({ host, project, code, expires }, { t, language, to }) => ({
      words: {
        host,
        project: project || t('common.untitledProject'),
        date: formatDate(expires, language, 'UTC'),
      },
      link: to(paths.invitation, { code, lang: language }),
    }),
  ),

  paymentFailed: mail([project], ofProject),
  paymentWaits: mail([project], ofProject),

  cardMissing: mail<OfProject & { renews: EpochSeconds }>(
    [{ ...project, renews: 1_800_000_000 }],
    (given, tools) => ({
      words: {
        ...ofProject(given, tools).words,
        date: formatDate(given.renews, tools.language, 'UTC'),
      },
      link: tools.to(projectPath('managePaymentMethods', given.subscriptionId)),
    }),
  ),

  projectCanceled: mail([project], ofProject),
  projectEndedUnpaid: mail([project], ofProject),

  receipt: mail<
    OfProject & { number: string; total: number; currency: string; url: string | null }
  >(
    [{ ...project, number: 'INV-1', total: 1000, currency: 'usd', url: null }],
    ({ number, total, currency, url, ...given }, tools) => {
      const { words, link } = ofProject(given, tools)
      return {
        words: { ...words, number, amount: formatMoney(total, currency) },
        link: url ?? link,
      }
    },
  ),

  ownershipGiven: mail<OfProject & { newOwner: string; card: CardWords | null; isPaid: boolean }>(
    [
      { ...project, newOwner: 'Ben', card: null, isPaid: false },
      { ...project, newOwner: 'Ben', card: null, isPaid: true },
      { ...project, newOwner: 'Ben', card: visa, isPaid: true },
    ],
    ({ newOwner, card, isPaid, ...given }, tools) => {
      const { link, ...content } = ofProject(given, tools)
      const words = { ...content.words, newOwner }
      const text = tools.t('mails.ownershipGiven.text', words)
      if (!isPaid) return { words, text, link }
      const second = card
        ? tools.t('mails.ownershipGiven.card', { ...words, ...named(card) })
        : tools.t('mails.ownershipGiven.noCard')
      return {
        words,
        text: tools.t('common.sentences', { first: text, second }),
        link: card ? tools.to(paths.profile) : link,
      }
    },
  ),

  /** `renews`: when the next week is charged; null for a project that costs nothing. */
  ownershipReceived: mail<
    OfProject & { formerOwner: string; card: CardWords | null; renews: EpochSeconds | null }
  >(
    [
      { ...project, formerOwner: 'Ben', card: null, renews: null },
      { ...project, formerOwner: 'Ben', card: null, renews: 1_800_000_000 },
      { ...project, formerOwner: 'Ben', card: visa, renews: 1_800_000_000 },
    ],
    ({ formerOwner, card, renews, ...given }, tools) => {
      const { t, language } = tools
      const { link, ...content } = ofProject(given, tools)
      const words = { ...content.words, formerOwner: formerOwner || t('activity.deleted') }
      const text = t('mails.ownershipReceived.text', words)
      if (renews === null) return { words, text, link }
      const date = formatDate(renews, language, 'UTC')
      const second = card
        ? t('mails.ownershipReceived.card', { ...words, ...named(card), date })
        : t('mails.ownershipReceived.noCard', { ...words, date })
      return { words, text: t('common.sentences', { first: text, second }), link }
    },
  ),
}

type Mails = typeof mails

/** The payload of the job `sendMail`. It is plain JSON, because it waits in the database. */
export type MailOrder = {
  [Name in keyof Mails]: {
    mail: Name
    to: string
    language: LanguageCode | null
    values: Mails[Name]['examples'][number]
  }
}[keyof Mails]

/** Renders a mail in the reader's language. Its links begin with `publicUrl`. */
export async function renderMail({ mail, values, ...order }: MailOrder, publicUrl: string) {
  const language = order.language ?? fallbackLanguage
  const t = await loadTranslator(language, { product: product.name })
  const to: Tools['to'] = (path, query) =>
    `${publicUrl}${path}${query ? `?${new URLSearchParams(query).toString()}` : ''}`
  const { content } = mails[mail] as Mail<MailOrder['values']>
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

/** An order for every mail, in each of its forms. */
export function mailExamples(language: MailOrder['language']) {
  return Object.entries(mails).flatMap(([mail, { examples }]) =>
    examples.map((values) => ({ mail, values, language, to: 'ada@example.com' }) as MailOrder),
  )
}

function mail<Given>(examples: Given[], content: Mail<Given>['content']): Mail<Given> {
  return { content, examples }
}

/** Says within how many hours or days the link must be used. */
function ofLink(mode: ActionCodeMode, unit: number) {
  return (given: OfAccount, tools: Tools) => ({
    words: { ...given, count: limits.actionCodes[mode] / unit },
    link: action(mode, given.code, tools),
  })
}

function action(mode: ActionCodeMode, code: string, { language, to }: Tools) {
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
