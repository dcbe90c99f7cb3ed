import type { SettingsField } from '#config/settings.ts'
import { expect, test } from 'vitest'
import { settingsSchema } from './settings.ts'

const common = { label: 'settings.name', required: false } as const
const fields = {
  name: { ...common, type: 'string', required: true, maxLength: 10 },
  about: { ...common, type: 'text', maxLength: 20 },
  site: { ...common, type: 'url', maxLength: 40 },
  contact: { ...common, type: 'email', maxLength: 40 },
  size: { ...common, type: 'number', min: 1, max: 9 },
  terms: { ...common, type: 'boolean', required: true },
  open: { ...common, type: 'boolean' },
  stage: { ...common, type: 'select', options: { plan: 'settings.name', build: 'settings.name' } },
  paint: { ...common, type: 'color' },
} as const satisfies Record<string, SettingsField>

const filled = {
  name: ' Bridge ',
  about: 'two\nlines',
  site: 'https://example.com/a?b',
  contact: 'Ann@Example.com',
  size: 3,
  terms: true,
  open: false,
  stage: 'build',
  paint: '#00AAff',
}

test('every type of field accepts its values', () => {
  expect(settingsSchema(fields).parse(filled)).toEqual({
    ...filled,
    name: 'Bridge',
    contact: 'ann@example.com',
    paint: '#00aaff',
  })
})

test('fields that aren’t required may be empty, or left out', () => {
  const { name, terms } = filled
  expect(settingsSchema(fields).parse({ name, terms })).toEqual({ name: 'Bridge', terms: true })
  const empty = { about: '', site: '', contact: '', size: null, stage: '', paint: '' }
  expect(settingsSchema(fields).parse({ name, terms, ...empty })).toEqual({
    name: 'Bridge',
    terms: true,
    ...empty,
  })
})

test('a wrong value gives a reason, in required and optional fields', () => {
  const { error } = settingsSchema(fields).safeParse({ ...filled, name: 'at www.a.b', size: 0 })
  expect(
    error!.issues.map(({ path, code, message }) => [path[0], code === 'custom' ? message : code]),
  ).toEqual([
    ['name', 'nameNotAllowed'],
    ['size', 'too_small'],
  ])
})

test.each([
  ['name', ''],
  ['name', 'two\nlines'],
  ['name', 'far too long a name'],
  ['about', 'x'.repeat(21)],
  ['site', 'javascript:alert(1)'],
  ['site', 'example.com'],
  ['contact', 'nobody'],
  ['size', 0],
  ['size', 10],
  ['size', '3'],
  ['terms', false],
  ['open', 'yes'],
  ['stage', 'constructor'],
  ['paint', 'red'],
  ['unknown', 'x'],
])('%s is not %j', (key, value) => {
  const { success, error } = settingsSchema(fields).safeParse({ ...filled, [key]: value })
  expect(success).toBe(false)
  expect(
    error!.issues.map(({ path, code }) => (code === 'unrecognized_keys' ? 'unknown' : path[0])),
  ).toEqual([key])
})
