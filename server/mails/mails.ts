import { limits } from '#config/limits.ts'
import { fallbackLanguage, type LanguageCode } from '#config/languages.ts'
import { paths } from '#contract/paths.ts'
import { layOut } from './layout.ts'
import { translator } from './translator.ts'

/** What an account's owner is told of when it happens. */
export type SecurityChange = { kind: 'passwordChanged' } | { kind: 'providerLinked'; provider: string }

/** Every mail the product sends, with what it is told. */
type MailValues = {
  verifyEmail: { name: string; code: string }
  resetPassword: { name: string; code: string }
  verifyAndChangeEmail: { name: string; code: string; newEmail: string }
  recoverEmail: { name: string; code: string; newEmail: string }
  securityNotice: { name: string; code: string; change: SecurityChange }
  invitation: { name: string | null; code: string; host: string; project: string; expires: string }
}

/** What the job is told. Plain JSON: it waits in the database. */
export type MailOrder = {
  [Name in keyof MailValues]: { mail: Name; to: string; language: LanguageCode | null; values: MailValues[Name] }
}[keyof MailValues]

const hour = 3_600_000

/** The mail in the reader's language; links lead to `publicUrl` and nowhere else. */
export async function renderMail(order: MailOrder, publicUrl: string) {
  const language = order.language ?? fallbackLanguage
  const t = await translator(language)
  const actionLink = (mode: string, code: string) => `${publicUrl}${paths.authAction}?${query({ mode, oobCode: code, lang: language })}`
  const greeting = order.values.name ? t('mails.greeting', { name: order.values.name }) : t('mails.greetingUnknown')
  const common = { language, greeting, linkHint: t('mails.linkHint') }

  switch (order.mail) {
    case 'verifyEmail':
      return layOut({
        ...common,
        subject: t('mails.verifyEmail.subject'),
        text: t('mails.verifyEmail.text', { days: limits.actionCodes.verifyEmail / (24 * hour) }),
        button: t('mails.verifyEmail.button'),
        link: actionLink('verifyEmail', order.values.code),
        footer: t('mails.verifyEmail.ignore'),
      })
    case 'resetPassword':
      return layOut({
        ...common,
        subject: t('mails.resetPassword.subject'),
        text: t('mails.resetPassword.text', { hours: limits.actionCodes.resetPassword / hour }),
        button: t('mails.resetPassword.button'),
        link: actionLink('resetPassword', order.values.code),
        footer: t('mails.resetPassword.ignore'),
      })
    case 'verifyAndChangeEmail': {
      const { code, newEmail } = order.values
      return layOut({
        ...common,
        subject: t('mails.verifyAndChangeEmail.subject'),
        text: t('mails.verifyAndChangeEmail.text', { newEmail, hours: limits.actionCodes.verifyAndChangeEmail / hour }),
        button: t('mails.verifyAndChangeEmail.button'),
        link: actionLink('verifyAndChangeEmail', code),
        footer: t('mails.verifyAndChangeEmail.ignore'),
      })
    }
    case 'recoverEmail': {
      const { code, newEmail } = order.values
      return layOut({
        ...common,
        subject: t('mails.recoverEmail.subject'),
        text: t('mails.recoverEmail.text', { newEmail, days: limits.actionCodes.recoverEmail / (24 * hour) }),
        button: t('mails.recoverEmail.button'),
        link: actionLink('recoverEmail', code),
        footer: t('mails.recoverEmail.ignore'),
      })
    }
    case 'securityNotice': {
      const { change, code } = order.values
      const what =
        change.kind === 'passwordChanged'
          ? t('mails.securityNotice.passwordChanged')
          : t('mails.securityNotice.providerLinked', { provider: change.provider })
      const question = t('mails.securityNotice.question', { days: limits.actionCodes.secureAccount / (24 * hour) })
      return layOut({
        ...common,
        subject: t('mails.securityNotice.subject'),
        text: `${what} ${question}`,
        button: t('mails.securityNotice.button'),
        link: actionLink('secureAccount', code),
        footer: t('mails.securityNotice.ignore'),
      })
    }
    case 'invitation': {
      const { host, code } = order.values
      const project = order.values.project || t('project.untitled')
      const date = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(order.values.expires))
      return layOut({
        ...common,
        subject: t('mails.invitation.subject', { host, project }),
        text: t('mails.invitation.text', { host, project, date }),
        button: t('mails.invitation.button'),
        link: `${publicUrl}${paths.invitation}?${query({ code, lang: language })}`,
        footer: t('mails.invitation.ignore', { host }),
      })
    }
  }
}

function query(values: Record<string, string>) {
  return new URLSearchParams(values).toString()
}
