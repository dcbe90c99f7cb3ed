export type Language = {
  name: string
  dir?: 'rtl'
  /** The country that the app preselects in an address, as an ISO 3166 code. */
  country: string
  /** Stripe's code of the language, if it differs from the key. */
  paymentLocale?: string
  /** Every text is translated: `npm run words -- --strict` fails when one is missing. */
  complete?: true
}

/** Each language has a file in locales/ with its key as the name. */
const rows = {
  en: { name: 'English', country: 'US', complete: true },
  zh: { name: '简体中文', country: 'CN', complete: true },
  'zh-TW': { name: '繁體中文', country: 'TW', complete: true },
  de: { name: 'Deutsch', country: 'US', complete: true },
  fr: { name: 'Français', country: 'US', complete: true },
  es: { name: 'Español', country: 'US', complete: true },
  pt: { name: 'Português', country: 'US', complete: true, paymentLocale: 'pt-BR' },
  ja: { name: '日本語', country: 'US', complete: true },
  ko: { name: '한국어', country: 'US', complete: true },
} satisfies Record<string, Language>

export type LanguageCode = keyof typeof rows

export const languages: Record<LanguageCode, Language> = rows

export const fallbackLanguage: LanguageCode = 'en'
