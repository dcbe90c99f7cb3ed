import type { LanguageCode } from '#config/languages.ts'
import { memoize } from '#contract/memoize.ts'
import { sql, type SQL } from 'drizzle-orm'

/** What letters of other forms, widths and accents come apart into, besides plain letters. */
const marks = sql.raw(
  String.raw`'[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a\ufe20-\ufe2f]'`,
)

/**
 * Text as searches compare it, like the palette does: without case, accents, width and forms of
 * Unicode. Most texts are plain, and folding those that aren't takes ten times as long.
 */
export function folded(text: SQL) {
  return sql`case when ${text} ~ '[^ -~]'
    then replace(lower(regexp_replace(normalize(${text}, NFKD), ${marks}, '', 'g') collate "und-x-icu"), 'ß', 'ss')
    else lower(${text}) end`
}

/** Whether a text has the search in it. */
export function isIn(search: string | null, text: SQL) {
  return sql`position(${folded(sql`${search}::text`)} in ${folded(text)}) > 0`
}

/** PostgreSQL's name for the order of a language, or for the common one if it has none. */
export const collationOf = memoize((language?: LanguageCode) => {
  const locale = new Intl.Locale(language ?? 'und').maximize()
  const usual = new Intl.Locale(locale.language).maximize()
  const name =
    locale.script === usual.script ? locale.language : `${locale.language}-${locale.script}`
  const [known = 'und'] = Intl.Collator.supportedLocalesOf(name)
  return `"${known}-x-icu"`
})
