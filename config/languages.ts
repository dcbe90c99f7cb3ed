export type Language = {
  /** In the language itself. */
  name: string
  /** What the payment provider's fields are shown in. */
  paymentLocale: string
}

/** Each has its file in locales/, named by its key. */
export const languages = {
  en: { name: 'English', paymentLocale: 'en' },
} as const satisfies Record<string, Language>

export type LanguageCode = keyof typeof languages

export const fallbackLanguage: LanguageCode = 'en'
