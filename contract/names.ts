import { product } from '#config/product.ts'
import { countries } from './address.ts'

/** Top-level domains that mail programs show a link for, besides those of countries. */
const domains = `
  com net org info biz name pro mobi edu gov eu uk app dev web page site website online store shop
  top xyz club vip icu cyou buzz live life link click help support email zip mov cloud tech space fun
  world today rest bond sbs cfd lol quest monster blog news digital email host press agency services
  solutions center network systems finance money cash loan bank win bid trade stream download date
  review party racing science men work asia рф рус 中国 中國 公司 网络 香港 台灣 台湾 한국 みんな
`

const endings = [...domains.trim().split(/\s+/), ...countries].join('|')
const afterLabel = String.raw`(?<=[\p{L}\p{N}][\p{L}\p{N}-])`

/** Characters that make mail programs show a link, in NFKC. */
const links = /:\/\/|\bmailto:|www[.。]/giu

/**
 * The dot of a bare domain, for which mail programs show a link too. It ends like a known one (not
 * `Node.js` or `Dr.Smith`) or has a path, and its label has two letters at least (not `B.Sc.`).
 * `Co.KG` is a kind of German company.
 */
const dots = new RegExp(
  [
    String.raw`(?<!(?:^|\s)co(?=[.。]kg))${afterLabel}[.。](?=(?:${endings}|xn--[a-z\d-]+)(?![\p{L}\p{N}]))`,
    String.raw`${afterLabel}[.。](?!js\/)(?=\p{L}{2,}(?:[/?#]|:\d))`,
  ].join('|'),
  'giu',
)

/**
 * Invisible characters, and those that change the direction of text. Variation selectors and the
 * tags of flags are allowed, because they only change the character before them.
 */
const unseen =
  /[\p{Zl}\p{Zp}]|(?![\u180E\u200C\u200D\p{Variation_Selector}\u{E0020}-\u{E007F}])\p{Default_Ignorable_Code_Point}/gu

/** Joiners in a wrong place. They belong between letters or emoji, or after an Indic virama. */
const strayJoiners =
  /(?<![\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u180E\u200C\u200D]|(?<![\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA])[\u180E\u200C\u200D](?![\p{L}\p{M}\p{Extended_Pictographic}])/gu

/** A visible character. The excluded braille pattern without dots is as blank as a space. */
const seen = /(?!\u2800)[\p{L}\p{N}\p{P}\p{S}]/u

/** The product's name as a word: nobody may write in its name. */
const ofProduct = new RegExp(
  String.raw`(?<![\p{L}\p{N}])${product.name.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`)}(?![\p{L}\p{N}])`,
  'giu',
)

/** Others read a name in lists and mails: it must be visible, without links or reversed text. */
export function isNameAllowed(name: string) {
  return isPayerNameAllowed(name) && !has(dots, name)
}

/** The names of some companies are domains. No mail names the payer. */
export function isPayerNameAllowed(name: string) {
  return (
    name === '' ||
    (seen.test(name) &&
      !has(links, name) &&
      [unseen, strayJoiners].every((found) => name.search(found) === -1))
  )
}

export function hasProductName(name: string) {
  return has(ofProduct, name)
}

/** Removes from a person's name what is not allowed in it; empty if nothing is left. */
export function tidyName(name: string) {
  const tidied = [unseen, strayJoiners].reduce((rest, found) => rest.replaceAll(found, ''), name)
  const luring = [links, dots, ofProduct].filter((found) => has(found, tidied))
  const oneLine = luring
    .reduce(
      (rest, found) => rest.replaceAll(found, ' '),
      luring.length > 0 ? tidied.normalize('NFKC') : tidied,
    )
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return isNameAllowed(oneLine) && !hasProductName(oneLine) ? oneLine : ''
}

/** Full-width letters and signs look like others, so mail programs may link them, too. */
function has(pattern: RegExp, name: string) {
  return name.normalize('NFKC').search(pattern) !== -1
}
