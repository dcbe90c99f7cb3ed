import { existsSync } from 'node:fs'
import { cp, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import journal from '../../server/migrate/migrations/meta/_journal.json' with { type: 'json' }
import { product } from '../../config/product.ts'
import { aMark, gitIn, linkPackages, runIn } from './a-copy.ts'
import { aFolder, root } from './a-server.ts'

const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
  version: string
}
/** The commit that made the last release. Sources without their history know none. */
const release = existsSync(join(root, '.git'))
  ? gitIn(root, 'log', '--format=%H', `-S"version": "${version}"`, '--', 'package.json')
      .split('\n')
      .at(-1)
  : undefined

/**
 * Whether these are the product's own sources. One that has another name than its release is an
 * adopter's: their changes and those of the stand-in would meet.
 */
export const isOwn =
  !!release && gitIn(root, 'show', `${release}:config/product.ts`).includes(`'${product.name}'`)

const ofSupport = "\n  supportEmail: 'crew@harbour.example',$&"

/** The version that the present sources become in `aLaterVersion`. */
export const later = '99.0.0'

/** A product that somebody has made of the last release, in a repository of their own. */
export async function aProduct() {
  const folder = await aClone()
  gitIn(folder, 'checkout', '--quiet', '-B', 'main', release!)
  await writeFile(join(folder, 'own.svg'), aMark)
  for (const command of [
    'rename Harbour --mark own.svg --color #5b21b6',
    'new module boats',
    'new job note --module boats',
    'new mail added --module boats',
  ]) {
    const [tool, ...args] = command.split(' ')
    does(folder, `tools/${tool}.ts`, ...args)
  }
  for (const changed of Object.values(changes)) await edit(folder, changed)
  commit(folder, 'Make it ours')
  return folder
}

/** The present sources as a later version, with a migration, and changes where others change too. */
export async function aLaterVersion() {
  const folder = await aClone()
  gitIn(folder, 'rm', '-r', '--quiet', '.')
  const listed = gitIn(root, 'ls-files', '-z', '-co', '--exclude-standard')
  for (const file of listed.split('\0').filter(Boolean))
    await cp(join(root, file), join(folder, file), { recursive: true }).catch(() => undefined)
  await edit(folder, changesOfMaker)
  const last = journal.entries.at(-1)!
  const idx = last.idx + 1
  const tag = `${String(idx).padStart(4, '0')}_nicknames`
  const migrations = join(folder, 'server/migrate/migrations')
  const [since] = (await readFile(join(migrations, `${last.tag}.sql`), 'utf8')).split('\n')
  await writeFile(
    join(migrations, `${tag}.sql`),
    `${since}\nalter table users add nickname text;\n`,
  )
  const entries = [...journal.entries, { ...last, idx, tag, when: last.when + 1 }]
  await writeFile(join(migrations, 'meta/_journal.json'), JSON.stringify({ ...journal, entries }))
  await rename(join(folder, 'upgrades/next'), join(folder, 'upgrades', later))
  const asked = join(folder, 'upgrades', later, 'upgrade.json')
  const { migrations: others, ...rest } = JSON.parse(await readFile(asked, 'utf8')) as {
    migrations: string[]
  }
  await writeFile(asked, JSON.stringify({ ...rest, migrations: [...others, tag] }))
  await edit(folder, [['package.json', `"version": "${version}"`, `"version": "${later}"`]])
  commit(folder, `Release ${later}`)
  return { folder, migration: String(idx).padStart(4, '0') }
}

/**
 * Rows of calls have moved since the last release, so the treasurer's is written again. The product
 * has other fields, and other modules are on beside the own one.
 */
export async function mendConflict(folder: string) {
  gitIn(folder, 'checkout', '--theirs', 'config/product.ts', 'contract/calls.ts')
  await edit(folder, [
    ['config/product.ts', `name: '${product.name}'`, "name: 'Harbour'"],
    ['config/product.ts', '\n  frontOfHouse: true', ofSupport],
    ['config/product.ts', "modules: ['", "modules: ['boats', '"],
    [
      'contract/calls/billing.ts',
      'listInvoices: read(admin,',
      "listInvoices: read({ needs: { permissions: ['admin', 'treasurer'] } },",
    ],
    ['contract/calls/billing.ts', '  admin,\n', ''],
  ])
  gitIn(folder, 'commit', '--quiet', '--all', '--no-edit')
}

/** A clone of these sources with the same packages. */
async function aClone() {
  const folder = join(await aFolder(), 'clone')
  gitIn(root, 'clone', '--quiet', root, folder)
  await linkPackages(folder)
  await writeFile(join(folder, '.git/info/exclude'), 'node_modules\n')
  return folder
}

function commit(folder: string, message: string) {
  does(folder, join('node_modules', '.bin', 'oxfmt'), '.')
  gitIn(folder, 'add', '--all')
  gitIn(folder, 'commit', '--quiet', '--message', message)
}

function does(folder: string, program: string, ...args: string[]) {
  const { status, output } = runIn(folder, program, args)
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${output}`)
}

/** A text of a file, which must be there, and what it becomes. */
type Edit = [file: string, from: string, to: string]

const changes: Record<string, Edit[]> = {
  'plans, prices and seats': [
    ['config/plans.ts', 'price: 10,\n    priceIds: [', 'price: 12,\n    priceIds: ['],
    ['config/plans.ts', 'seats: 10,\n    free', 'seats: 3,\n    limits: { boats: 2 },\n    free'],
    ['locales/en.json', '10 GB of storage', 'Charts of all seas'],
    ['locales/de.json', '"title": "Pro"', '"title": "Kapitän"'],
  ],
  'seven languages off': ['zh', "'zh-TW'", 'fr', 'es', 'pt', 'ja', 'ko'].map((code) => [
    'config/languages.ts',
    `\n  ${code}: {`,
    `\n  // ${code}: {`,
  ]),
  words: [
    ['locales/en.json', 'Shared projects with team billing', 'Boats and crews of a club'],
    ['locales/en.json', '"title": "Your projects"', '"title": "Your clubs"'],
    ['locales/de.json', '"title": "Ihre Projekte"', '"title": "Ihre Vereine"'],
  ],
  'where people find help': [['config/product.ts', '\n  pricing: true', ofSupport]],
  'a limit': [['config/limits.ts', 'toast: 8 * seconds', 'toast: 5 * seconds']],
  'a settings field': [
    [
      'config/settings.ts',
      'maxLength: 100,\n  },\n',
      "$&  port: { label: 'settings.port', type: 'string', required: false, maxLength: 60 },\n",
    ],
    ['locales/en.json', '\n  "settings": {\n', '$&    "port": "Home port",\n'],
    ['locales/de.json', '\n  "settings": {\n', '$&    "port": "Heimathafen",\n'],
  ],
  'a treasurer, who reads invoices': [
    [
      'config/permissions.ts',
      "\n  admin: { ...ofKey('admin')",
      "\n  treasurer: { ...ofKey('treasurer'), default: false, admin: false },$&",
    ],
    ['locales/en.json', '\n  "permissions": {\n', `$&"treasurer": ${wordsOf('Treasurer')},\n`],
    ['locales/de.json', '\n  "permissions": {\n', `$&"treasurer": ${wordsOf('Kassenwart')},\n`],
    [
      'contract/calls.ts',
      'listInvoices: read(\n    admin,',
      "listInvoices: read(\n    { needs: { permissions: ['admin', 'treasurer'] } },",
    ],
    [
      'contract/screens.ts',
      "inProject('/billing', 'admin',",
      "inProject('/billing', { permissions: ['admin', 'treasurer'] },",
    ],
  ],
  'a module with a job and a mail': [
    [
      'modules/boats/server.ts',
      'const id = newId()\n',
      `$&await services.jobs.add('boats.note', { subscriptionId: subscription.id })
      await services.jobs.add('sendMail', {
        mail: 'boats.added',
        to: user.email,
        language: user.language,
        values: { name: user.displayName, subscriptionId: subscription.id },
      })\n`,
    ],
  ],
  'a changed screen': [
    [
      'client/screens/subscriptions/dashboard.screen.tsx',
      '      <News />\n',
      "<p className='mb-4 text-soft'>{t('product.tagline')}</p>\n$&",
    ],
  ],
  'mails that look otherwise': [
    ['server/mails/layout.ts', 'max-width:520px;background', 'max-width:600px;background'],
    ['server/mails/layout.ts', 'border-radius:14px', 'border-radius:2px'],
  ],
  'sharper corners': [['client/theme.css', '--radius-card: 14px', '--radius-card: 2px']],
  'a readme': [['README.md', '**In the box**', 'For sailing clubs.\n\n$&']],
}

const changesOfMaker: Edit[] = [
  [
    'contract/calls/profile.ts',
    'export const ofProfile = {\n',
    "$&getNickname: read(signedIn, 'Reads a nickname.', {\nanswer: { nickname: z.nullable(z.string()) },\n}),\n",
  ],
  [
    'server/profile/calls.ts',
    'export const profileCalls = {\n',
    '$&async getNickname() {\nreturn { nickname: null }\n},\n\n',
  ],
  [
    'client/screens/subscriptions/dashboard.screen.tsx',
    '<Projects {...projects} />',
    '<div>$&</div>',
  ],
  ['server/mails/layout.ts', 'text-wrap: pretty', 'text-wrap: balance'],
  ['config/limits.ts', 'returnAfterSave: 1.5', 'returnAfterSave: 2.5'],
]

function wordsOf(name: string) {
  return JSON.stringify({ label: name, role: name, as: `a ${name}`, text: 'Reads invoices.' })
}

async function edit(folder: string, edits: Edit[]) {
  for (const [file, from, to] of edits) {
    const path = join(folder, file)
    const text = await readFile(path, 'utf8')
    if (!text.includes(from)) throw new Error(`${file} has no ${from}`)
    await writeFile(path, text.replace(from, to))
  }
}
