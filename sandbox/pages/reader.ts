import type { Context } from 'hono'
import { accepts } from 'hono/accepts'
import { loadTranslator } from '#locales/load-translator.ts'
import { matchLanguage } from '#locales/match-language.ts'
import type { Translate } from '#locales/translator.ts'
import { lookUp } from '../store/objects.ts'
import type { World } from '../store/tx.ts'

type Period = { start: number; end: number }

/** How whoever reads a page has it: words, dates and money. Times in seconds, all of them in UTC. */
export type Reader = {
  language: string
  t: Translate
  money: (minor: number, currency: string) => string
  number: (value: number) => string
  /** Of a hundred. */
  percent: (value: number) => string
  date: (at: number) => string
  period: (period: Period) => string
  moment: (at: number) => string
  /** The name of a country by its code. */
  country: (code: string) => string
}

/** Of a customer's page: as `reader`, and where no language is asked for, in the one that the customer is known to prefer. */
export async function customersReader(c: Context, world: World, customer: string | null) {
  const object = customer ? await lookUp(world.pool, customer) : undefined
  return reader(c, world, object?.object === 'customer' ? object.preferred_locales : null)
}

/** In the language of `?locale=`, else of the first of `preferred` that there is, else of the browser, else in English. */
export async function reader(
  c: Context,
  { account, languages }: World,
  preferred?: readonly string[] | null,
): Promise<Reader> {
  const language = chooseLanguage(c, languages, [c.req.query('locale') ?? '', ...(preferred ?? [])])
  return readerOf(language, await loadTranslator(language, { product: account.name }))
}

/** Another of our pages, with the language that this one was asked for in. */
export function pathFrom(c: Context, path: string): string {
  const locale = c.req.query('locale')
  return locale === undefined ? path : `${path}?${new URLSearchParams({ locale }).toString()}`
}

export function readerOf(language: string, t: Translate): Reader {
  const countries = new Intl.DisplayNames(language, { type: 'region' })
  const utc = { timeZone: 'UTC' } as const
  const dates = new Intl.DateTimeFormat(language, { dateStyle: 'medium', ...utc })
  const moments = new Intl.DateTimeFormat(language, { ...inWords, ...utc })
  const numbers = new Intl.NumberFormat(language)
  const percents = new Intl.NumberFormat(language, { style: 'percent' })
  return {
    language,
    t,
    money: (minor, currency) =>
      new Intl.NumberFormat(language, { style: 'currency', currency }).format(minor / 100),
    number: (value) => numbers.format(value),
    percent: (value) => percents.format(value / 100),
    date: (at) => dates.format(at * 1000),
    period: ({ start, end }) => `${dates.format(start * 1000)} – ${dates.format(end * 1000)}`,
    moment: (at) => moments.format(at * 1000),
    country: (code) => (/^[A-Za-z]{2}$/.test(code) ? countries.of(code) : undefined) ?? code,
  }
}

const inWords = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
} as const

export function chooseLanguage(
  c: Context,
  languages: readonly string[],
  wanted: readonly string[],
): string {
  const first = (tags: readonly string[]) =>
    tags.map((tag) => matchLanguage(tag, languages)).find((code) => code !== undefined)
  return (
    first(wanted) ??
    accepts(c, {
      header: 'Accept-Language',
      supports: [...languages],
      default: 'en',
      match: (accepted, { default: english }) => first(byWeight(accepted)) ?? english,
    })
  )
}

function byWeight(accepted: { type: string; q: number }[]): string[] {
  return accepted
    .filter(({ q }) => q > 0)
    .toSorted((a, b) => b.q - a.q)
    .map(({ type }) => type)
}
