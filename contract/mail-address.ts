/** What both sides have of the platform, which turns a domain in any script into punycode. */
declare const URL: {
  new (url: string): { hostname: string }
  canParse(url: string): boolean
}

/**
 * The HTML standard's pattern, in lower case, for what a mail server may take: 64 characters before
 * the `@` and 254 in all.
 */
export const mailAddress =
  /^(?!.{255})(?!.{65,}@)[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/

/** Invisible characters. Some scripts need joiners between their letters. */
const unseen =
  /(?![\u200C\u200D])\p{Default_Ignorable_Code_Point}|(?<![^\p{ASCII}])[\u200C\u200D]|[\u200C\u200D](?![^\p{ASCII}])/gu

/**
 * The one spelling of an e-mail address: without the spaces and invisible characters that come with
 * a copied one, in lower case and half width, its domain in punycode. Text that is no address stays
 * none: `mailAddress` tells.
 */
export function tidyAddress(text: string) {
  const tidied = text
    .replaceAll(unseen, '')
    .trim()
    .replaceAll(/[\uFF01-\uFF5E]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfe_e0))
    .toLowerCase()
  const [, local, domain] = /^([^@]*@)([^@\s/?#%:\\]+)$/.exec(tidied) ?? []
  if (local === undefined || domain === undefined) return tidied
  // An address of the internet would be written out: `127.1` as `127.0.0.1`.
  if (!/[^\p{ASCII}]|xn--/u.test(domain)) return tidied
  const url = `http://${domain}`
  return URL.canParse(url) ? local + new URL(url).hostname : tidied
}

/** The e-mail address that somebody has typed, in its one spelling; undefined if it is none. */
export function addressIn(text: string) {
  const address = tidyAddress(text)
  return mailAddress.test(address) ? address : undefined
}
