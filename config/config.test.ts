import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { formatMoney } from '../contract/money.ts'
import { pricesOf } from '../contract/prices.ts'
import { problemsOf } from '../server/billing/plan-problems.ts'
import { billing } from './billing.ts'
import { languages, type Language } from './languages.ts'
import { permissions, type Permission } from './permissions.ts'
import { plans, type Plan } from './plans.ts'
import { settingsFields } from './settings.ts'
import { signInProviders } from './sign-in-providers.ts'

// These tests read the shipped configuration, not tests/config/. The compiler checks its types and
// that its texts exist.

test('exactly one permission is the default, and at least one makes an administrator', () => {
  const all: Permission[] = Object.values(permissions)
  expect(all.filter((permission) => permission.default)).toHaveLength(1)
  expect(all.filter(({ admin }) => admin).length).toBeGreaterThan(0)
})

test('no plan and no price is listed twice', () => {
  const ids: string[] = plans.map(({ id }) => id)
  expect(ids).toEqual([...new Set(ids)])
  const prices = (plans as readonly Plan[]).flatMap(pricesOf).flatMap(({ priceIds }) => priceIds)
  expect(prices).toEqual([...new Set(prices)])
})

test('free plans cost nothing, and every other plan costs something', () => {
  const all: readonly Plan[] = plans
  const idsOf = (some: readonly Plan[]) => some.map(({ id }) => id)
  expect(idsOf(all.filter(({ price }) => price === 0))).toEqual(
    idsOf(all.filter(({ free }) => free)),
  )
})

test('the plans can be sold as the configuration says', () => {
  expect(problemsOf(plans, billing)).toEqual([])
})

test('a plan shows the sign of its currency', () => {
  for (const { currency, currencyCode } of plans)
    expect(formatMoney(0, currencyCode).startsWith(currency)).toBe(true)
})

test('every plan has a seat for its owner', () => {
  expect(plans.filter(({ seats }) => seats < 1).map(({ id }) => id)).toEqual([])
})

test('every sign-in provider has a module, and every module has a provider', async () => {
  const files = await readdir(join(import.meta.dirname, '../server/providers/sign-in/brands'))
  expect(files.map((file) => file.replace('.ts', '')).toSorted()).toEqual(
    Object.keys(signInProviders).toSorted(),
  )
})

test('exactly the languages whose script runs from right to left are marked `rtl`', () => {
  const rightToLeft = Object.keys(languages).filter((code) => directionOf(code) === 'rtl')
  const marked = Object.entries<Language>(languages).filter(([, { dir }]) => dir === 'rtl')
  expect(marked.map(([code]) => code)).toEqual(rightToLeft)
})

test('a project must have a name', () => {
  expect(settingsFields.name).toMatchObject({ type: 'string', required: true })
})

/** TypeScript doesn't know this part of Intl.Locale yet. */
function directionOf(code: string) {
  const locale = new Intl.Locale(code) as Intl.Locale & { getTextInfo(): { direction: string } }
  return locale.getTextInfo().direction
}
