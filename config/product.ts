import type { MessageKey } from '#locales/keys.ts'

export type Product = {
  /** Appears in the top bar, in page titles and in mails. No person's name may contain it. */
  name: string
  /** What the product is, in one sentence. Visitors read it beside the sign-in form. */
  tagline: MessageKey
  /** Where people find help and what they agree to. Texts and links appear where these are set. */
  supportEmail?: string
  helpUrl?: string
  termsUrl?: string
  privacyUrl?: string
  statusUrl?: string
  /** Shows visitors what the product is at /welcome, and its plans and prices at /pricing. */
  frontOfHouse: boolean
  /** What visitors get at `/`: /welcome, or like everybody the dashboard, which has them sign in. */
  home: 'dashboard' | 'welcome'
}

export const product = define({
  name: 'Atrium',
  tagline: 'product.tagline',
  frontOfHouse: true,
  home: 'dashboard',
  /** The modules that are on, such as `documents`: names of folders in modules/, or `all`. */
  modules: ['notices', 'webhooks'],
})

/** Keeps the names of the modules for the compiler. */
function define<const Names extends readonly string[] | 'all'>(
  product: Product & { modules: Names },
) {
  return product
}
