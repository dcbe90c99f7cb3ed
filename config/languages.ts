export type Language = {
  /** In the language itself. */
  name: string
  /** What the payment provider's fields, invoices and pages are shown in. */
  paymentLocale: string
  /** The country that an address begins with, by its ISO 3166 code. */
  country: string
}

/** Each has its file in locales/, named by its key. */
export const languages = {
  en: { name: 'English', paymentLocale: 'en', country: 'US' },
  zh: { name: '简体中文', paymentLocale: 'zh', country: 'CN' },
  'zh-TW': { name: '繁體中文', paymentLocale: 'zh-TW', country: 'TW' },
  de: { name: 'Deutsch', paymentLocale: 'de', country: 'US' },
  fr: { name: 'Français', paymentLocale: 'fr', country: 'US' },
  es: { name: 'Español', paymentLocale: 'es', country: 'US' },
  pt: { name: 'Português', paymentLocale: 'pt-BR', country: 'US' },
  ja: { name: '日本語', paymentLocale: 'ja', country: 'US' },
  ko: { name: '한국어', paymentLocale: 'ko', country: 'US' },
} as const satisfies Record<string, Language>

export type LanguageCode = keyof typeof languages

export const fallbackLanguage: LanguageCode = 'en'
