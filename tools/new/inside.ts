import { contracts, type ModuleContract } from '../../contract/modules.ts'
import { openFiles, Unfit, type Files } from './files.ts'
import { isTaken } from './taken.ts'

type Part = { name: string; module: string; folder: string; files: Files }

/** Each plans its changes, and says what to know of them. */
const makers: Record<string, (part: Part) => string> = { call, screen, mail, job }
export const whats = Object.keys(makers)

/** What is new in a module: a row, its function or component, and its words. */
export function planPart(what: string, name: string, module: string) {
  if (!/^[a-z][A-Za-z0-9]{0,49}$/.test(name))
    throw new Unfit(
      `“${name}” can’t be a name: letters and digits, the first one small, as sellBoat.`,
    )
  if (!(module in contracts)) throw new Unfit(`modules/index.ts has no module “${module}”.`)
  const files = openFiles()
  const said = makers[what]!({ name, module, folder: `modules/${module}`, files })
  return { files, said }
}

function call({ name, folder, files }: Part) {
  if (isTaken('call', name)) throw new Unfit(`There is a call ${name} already.`)
  const contract = `${folder}/contract.ts`
  const reads = /^(find|get|list)[A-Z]/.test(name) ? 'read' : 'write'
  files.putBelow(
    contract,
    'export const calls = {',
    `${name}: ${reads}(member, '${inWords(name)}.', { input: { subscriptionId } }),`,
  )
  files.take(contract, [reads, 'member'], '#contract/rows.ts')
  files.take(contract, ['subscriptionId'], '#contract/fields.ts')
  files.putBelow(`${folder}/server.ts`, '  calls: {', `async ${name}() {\nreturn {}\n},\n`)
  return `Every member may call ${name}, which does nothing yet.`
}

function screen({ name, module, folder, files }: Part) {
  if (isTaken('screen', name)) throw new Unfit(`There is a screen ${name} already.`)
  if (!files.has(`${folder}/icon.ts`))
    throw new Unfit(`Write ${folder}/icon.ts first: export { Shapes as icon } from 'lucide-react'`)
  const { screens = {} }: ModuleContract = contracts[module as keyof typeof contracts]
  const [parent] = Object.entries(screens).find(([, { title }]) => title) ?? []
  const path = `/${module}/${kebab(name)}`
  const place = parent ? `parent: '${parent}'` : 'menu: true'
  files.putBelow(
    `${folder}/contract.ts`,
    'export const screens = {',
    `${name}: inProject('${path}', 'member', { title: '${module}.${name}.title', icon: '${module}', ${place} }),`,
  )
  files.take(`${folder}/contract.ts`, ['inProject'], '#contract/rows.ts')
  const words = `${folder}/words/en.json`
  files.say(words, `${module}.${name}.title`, inWords(name))
  files.say(words, `palette.words.${name}`, inWords(name).toLowerCase())
  files.put(
    `${folder}/screens/${kebab(name)}.screen.tsx`,
    `import { PageTitle } from '../../../client/components/page-title.tsx'
import { useT } from '../../../client/platform/i18n.ts'

export function ${name[0]!.toUpperCase()}${name.slice(1)}Screen() {
  const t = useT()
  return <PageTitle title={t('${module}.${name}.title')} />
}
`,
  )
  return `The screen ${name} is at /subscription/ID${path}${parent ? ` and in the palette, below ${parent}` : ' and in the menu'}.`
}

function mail(part: Part) {
  const { name, module, folder, files } = part
  const key = `${module}.${name}`
  declare(part, ['ModuleMails', '../../server/mails/mails.ts'])
  addTo(
    'mails',
    part,
    `'${key}': ({ subscriptionId }, { to }) => ({\nwords: {},\nlink: to(projectPath('subscription', subscriptionId)),\n}),`,
  )
  files.take(`${folder}/server.ts`, ['projectPath'], '#contract/paths.ts')
  const texts = {
    subject: inWords(name),
    text: 'This mail says what has happened.',
    button: 'Open the project',
    footer: 'You get this mail because you are in the project.',
  }
  for (const [place, text] of Object.entries(texts))
    files.say(`${folder}/words/en.json`, `mails.${key}.${place}`, text)
  const examples = `${folder}/examples.ts`
  const line = `export const mails: Examples['mails'] = {`
  if (!files.has(examples))
    files.put(examples, `import type { Examples } from '../../server/core/modules.ts'\n`)
  if (!files.read(examples).includes(`\n${line}\n`))
    files.put(examples, `${files.read(examples)}\n${line}\n}\n`)
  files.putBelow(examples, line, `'${key}': [{ name: 'Ada', subscriptionId: 'a1b2' }],`)
  return `A call sends it: await jobs.add('sendMail', { mail: '${key}', to: user.email, language: user.language, values: { name: user.displayName, subscriptionId: subscription.id } })`
}

function job(part: Part) {
  const key = `${part.module}.${part.name}`
  declare(part, ['ModuleJobs', '../../server/core/jobs.ts'])
  addTo(
    'jobs',
    part,
    `async '${key}'({ subscriptionId }, { log }) {\nlog.info({ subscriptionId }, '${key} has run')\n},\n`,
  )
  return `A call adds it to its transaction: await jobs.add('${key}', { subscriptionId: subscription.id })`
}

/** Adds a name to the types of the core. */
function declare({ files, name, module }: Part, [type, from]: [string, string]) {
  const server = `modules/${module}/server.ts`
  const key = `${module}.${name}`
  if (files.read(server).includes(`'${key}'`)) throw new Unfit(`${server} has '${key}' already.`)
  const line = `  interface ${type} {`
  if (!files.read(server).includes(`\n${line}\n`)) {
    const block = `declare module '${from}' {\n${line}\n  }\n}\n`
    files.putAbove(server, 'export const server = {', block)
  }
  files.putBelow(server, line, `'${key}': { subscriptionId: string }`)
}

/** Adds a row to a table of what the server.ts of a module exports. */
function addTo(table: 'jobs' | 'mails', { files, module }: Part, row: string) {
  const server = `modules/${module}/server.ts`
  const line = `  ${table}: {`
  if (!files.read(server).includes(`\n${line}\n`))
    files.putAbove(server, `} satisfies ServerModule<'${module}'>`, `\n${line}\n  },`)
  files.putBelow(server, line, row)
}

function kebab(name: string) {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** `boatTrips`: `Boat trips`. */
function inWords(name: string) {
  const words = kebab(name).replaceAll('-', ' ')
  return words[0]!.toUpperCase() + words.slice(1)
}
