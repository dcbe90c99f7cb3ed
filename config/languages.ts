export type Language = {
  /** In the language itself. */
  name: string
  /** What the payment provider's fields, invoices and pages are shown in. */
  paymentLocale: string
}

/** Each has its file in locales/, named by its key. */
export const languages = {
  en: { name: 'English', paymentLocale: 'en' },
  zh: { name: '简体中文', paymentLocale: 'zh' },
  'zh-TW': { name: '繁體中文', paymentLocale: 'zh-TW' },
  de: { name: 'Deutsch', paymentLocale: 'de' },
  fr: { name: 'Français', paymentLocale: 'fr' },
  es: { name: 'Español', paymentLocale: 'es' },
  pt: { name: 'Português', paymentLocale: 'pt-BR' },
  ja: { name: '日本語', paymentLocale: 'ja' },
  ko: { name: '한국어', paymentLocale: 'ko' },
} as const satisfies Record<string, Language>

export type LanguageCode = keyof typeof languages

export const fallbackLanguage: LanguageCode = 'en'
