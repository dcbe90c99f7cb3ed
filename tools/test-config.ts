// npm run test:config: runs npm test in a copy of the project in which every value in config/ is
// different. `npm run test:config -- server/invites` runs the checks and the tests of a folder, and
// journeys by their names, such as main-job.spec.ts.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { languages } from '../config/languages.ts'
import { billingLimits, engineLimits, limits, rateLimits, readLimits } from '../config/limits.ts'
import { permissions, type Permission } from '../config/permissions.ts'
import { plans, type Plan } from '../config/plans.ts'
import { settingsFields } from '../config/settings.ts'
import { signInProviders } from '../config/sign-in-providers.ts'
import type { Amounts } from '../contract/plan.ts'
import { english } from '../locales/english.ts'

const root = join(import.meta.dirname, '..')
const copy = join(mkdtempSync(join(tmpdir(), 'app-config-')), 'copy')
process.on('exit', () => rmSync(join(copy, '..'), { recursive: true, force: true }))

const ofModules = globSync('modules/*/contract.ts', { cwd: root })
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('')
copyProject()
changeConfig()
const filters = process.argv.slice(2)
const tools = join(root, 'node_modules', '.bin')
execFileSync(join(tools, 'oxfmt'), ['config', 'locales'], { cwd: copy })
const whole = join('scripts', 'test.mjs')
const journeys = filters.filter((file) => file.endsWith('.spec.ts'))
const server = filters.filter((file) => !file.endsWith('.spec.ts'))
const commands =
  filters.length === 0
    ? [[whole, 'test']]
    : [
        [whole, 'check'],
        ...(server.length > 0
          ? [[join(tools, 'vitest'), 'run', '--project', 'server', ...server]]
          : []),
        ...(journeys.length > 0
          ? [
              [
                join(tools, 'playwright'),
                'test',
                '--config',
                'tests/journeys/playwright.config.ts',
                ...journeys,
              ],
            ]
          : []),
      ]
for (const command of commands) {
  const { status } = spawnSync(process.execPath, command, { cwd: copy, stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}

function copyProject() {
  const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], { cwd: root })
  chmodSync(join(copy, '..'), 0o711)
  for (const file of listed.toString().split('\0').filter(Boolean))
    cpSync(join(root, file), join(copy, file))
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
}

function changeConfig() {
  set('product', {
    product: {
      name: 'Somethingelse',
      tagline: 'product.tagline',
      frontOfHouse: false,
      home: 'welcome',
      modules: [],
    },
  })
  set('limits', {
    limits: doubled(limits),
    engineLimits,
    rateLimits: doubled(rateLimits),
    readLimits,
    billingLimits: doubled(billingLimits),
  })
  set('plans', {
    plans: (plans as readonly Plan[]).map((plan) => ({
      ...plan,
      id: `other_${plan.id}`,
      titleKey: `plans.other_${plan.id}.title`,
      descriptionKeys: plan.descriptionKeys.map((key) => key.replace('plans.', 'plans.other_')),
      price: plan.price * 3,
      priceIds: othersOf(plan.priceIds),
      ...(plan.amounts && { amounts: tripled(plan.amounts) }),
      ...(plan.prices && {
        prices: plan.prices.map((price) => ({
          ...price,
          amounts: tripled(price.amounts),
          priceIds: othersOf(price.priceIds),
        })),
      }),
      seats: plan.seats + 7,
    })),
  })
  set('billing', {
    billing: {
      cancel: 'choice',
      smallerPlan: 'choice',
      refundUnused: true,
      promotionCodes: true,
    },
  })
  set('permissions', {
    permissions: renamed(permissions, (permission, key) => ({
      ...permission,
      ...renamedTexts(permission, key),
    })),
  })
  const budget = { label: 'settings.budget', type: 'number', required: true, min: 5, max: 9 }
  set('settings', {
    settingsFields: { ...settingsFields, budget, name: { ...settingsFields.name, maxLength: 30 } },
  })
  const [first, ...others] = Object.entries(languages)
  set('languages', { rows: Object.fromEntries([others.pop()!, first!]) })
  for (const [code] of others) rmSync(join(copy, 'locales', `${code}.json`))
  set('sign-in-providers', {
    signInProviders: Object.fromEntries(
      Object.entries(signInProviders).map(([name, { enabled }]) => [name, { enabled: !enabled }]),
    ),
  })
  const words = {
    ...english,
    plans: { ...english.plans, ...renamed(english.plans, (words) => words) },
    permissions: renamed(english.permissions, (words) =>
      Object.fromEntries(Object.entries(words).map(([key, text]) => [key, `Other ${text}`])),
    ),
    settings: { ...english.settings, budget: 'Budget' },
  }
  writeFileSync(join(copy, 'locales', 'en.json'), JSON.stringify(words))
}

/** Gives constants of a file in config/ another value, and leaves its types. */
function set(file: string, values: Record<string, unknown>) {
  const path = join(copy, 'config', `${file}.ts`)
  let source = readFileSync(path, 'utf8')
  for (const [name, value] of Object.entries(values))
    source = source.replace(
      new RegExp(`(const ${name}(?:: \\w+)? = (?:define\\()?)[^]*?\\n[}\\]]`),
      (_, start: string) => start + JSON.stringify(value),
    )
  // Removes the numbers, parts and functions from which the old values were made.
  const parts = /^const (\w+) = (?:\{[^]*?\n\}.*|[^{].*)\n/gm
  source = source.replace(parts, (part, name: string) => (name in values ? part : ''))
  writeFileSync(path, source.replaceAll(/^(\/\*\*.*\n)?function (?!define)[^]*?\n\}\n/gm, ''))
}

function othersOf(priceIds: readonly string[]) {
  return priceIds.map((id) => `other_${id}`)
}

function tripled(amounts: Amounts) {
  return Object.fromEntries(Object.entries(amounts).map(([code, amount]) => [code, amount * 3]))
}

function doubled<Value>(value: Value): unknown {
  if (typeof value === 'number') return value * 2
  if (typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(doubled)
  return Object.fromEntries(
    Object.entries(value as object).map(([key, each]) => [key, doubled(each)]),
  )
}

/** A permission that a module names keeps its name. */
function otherName(key: string) {
  return ofModules.includes(`permissions: ['${key}']`) ? key : `other_${key}`
}

/** The keys of a permission's texts, which contain its own key. */
function renamedTexts({ label, role, as, text }: Permission, key: string) {
  const rename = (text: string) => text.replace(`.${key}.`, `.${otherName(key)}.`)
  return { label: rename(label), role: rename(role), as: rename(as), text: rename(text) }
}

function renamed<Value>(
  values: Record<string, Value>,
  change: (value: Value, key: string) => unknown,
) {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [otherName(key), change(value, key)]),
  )
}
