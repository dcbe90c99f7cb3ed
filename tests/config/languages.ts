import type { Language } from '../../config/languages.ts'

export type { Language }

/** Each language has a few texts in tests/locales/; all others are shown in English. */
const rows = {
  en: { name: 'English', country: 'US', complete: true },
  zh: { name: '简体中文', country: 'CN' },
  'zh-TW': { name: '繁體中文', country: 'TW' },
  de: { name: 'Deutsch', country: 'US' },
  ja: { name: '日本語', country: 'US' },
  he: { name: 'עברית', country: 'US', dir: 'rtl' },
  pt: { name: 'Português', country: 'US', paymentLocale: 'pt-BR' },
} satisfies Record<string, Language>

export type LanguageCode = keyof typeof rows

export const languages: Record<LanguageCode, Language> = rows

export const fallbackLanguage: LanguageCode = 'en'
