import { expect, test } from 'vitest'
import { permissions, type Permission } from './permissions.ts'
import { plans, type Plan } from './plans.ts'
import { settingsFields } from './settings.ts'

// The configuration as shipped, not that of the tests. The compiler sees to the types and the
// words.

test('exactly one permission is the default, and some permission makes an administrator', () => {
  const all: Permission[] = Object.values(permissions)
  expect(all.filter((permission) => permission.default)).toHaveLength(1)
  expect(all.filter(({ admin }) => admin).length).toBeGreaterThan(0)
})

test('every plan and every price is there once', () => {
  const all: readonly Plan[] = plans
  for (const values of [all.map(({ id }) => id), all.flatMap(({ priceIds }) => priceIds)])
    expect(new Set(values).size).toBe(values.length)
})

test('free plans cost nothing, and all others have a price to be sold for', () => {
  for (const { free, price, priceIds } of plans as readonly Plan[])
    expect({ free, price: price > 0, priceIds: priceIds.length > 0 }).toEqual({
      free,
      price: !free,
      priceIds: !free,
    })
})

test('every plan has a seat for its owner', () => {
  expect(plans.every(({ seats }) => seats >= 1)).toBe(true)
})

test('a project has a name', () => {
  expect(settingsFields.name).toMatchObject({ type: 'string', required: true })
})
