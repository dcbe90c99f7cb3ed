import { fallbackLanguage, languages, type LanguageCode } from '#config/languages.ts'
import { product } from '#config/product.ts'
import { memoize } from '#contract/memoize.ts'
import { frontPages, paths, type FrontPage } from '#contract/paths.ts'
import { wayToPay } from '#contract/price-choice.ts'
import { matchLanguages } from '#locales/match-language.ts'
import { parseAccept } from 'hono/utils/accept'
import { existsSync, readFileSync } from 'node:fs'

/** What the build makes a page for visitors for: each language and each way to pay. */
export type FrontFile = { page: FrontPage; language: LanguageCode; way: string }

const codes = Object.keys(languages) as LanguageCode[]

/** The page that an address means to a browser with these languages; undefined for other addresses. */
export function findFrontPage({ pathname, searchParams }: URL, acceptLanguage?: string) {
  const page = frontPages.find((page) => pathname.endsWith(paths[page]))
  const prefix = page && pathname.slice(0, -paths[page].length)
  const named = codes.find((code) => prefix === `/${code}`)
  if (!product.frontOfHouse || !page || (prefix && !named)) return undefined
  const tags = tagsOf(acceptLanguage)
  const language = named ?? matchLanguages(tags, codes) ?? fallbackLanguage
  return { page, language, way: wayToPay(searchParams, tags) }
}

/** Where a page stands in the folder of the built app. */
export function fileOf({ page, language, way }: FrontFile) {
  return `front/${language}/${page}${way && `.${way.replaceAll(/\W+/g, '-')}`}.html`
}

/** Reads the pages that the build has made in this folder, with the address of the server in them. */
export function openFrontPages(folder: string, publicUrl: string) {
  return memoize((file: string) =>
    existsSync(folder + file)
      ? readFileSync(folder + file, 'utf8').replaceAll('%ORIGIN%', publicUrl)
      : 'The web app has not been built. Run: npm run build',
  )
}

/** The languages that a browser asks for, the most wanted first. */
export function tagsOf(acceptLanguage = '') {
  return parseAccept(acceptLanguage)
    .slice(0, 5)
    .map(({ type }) => type)
}
