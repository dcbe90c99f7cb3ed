// npm run new: makes a module, or a call, a screen, a mail or a job in one. docs/modules.md says more.
import { join, relative } from 'node:path'
import { begin, didYouMean } from '../scripts/commands.mjs'
import { fail, root } from '../scripts/install.mjs'
import { Unfit } from './new/files.ts'
import { planPart, whats } from './new/inside.ts'
import { makeLive, planModule } from './new/module.ts'

const { words, values } = begin('new', process.argv.slice(2))
const [what = '', name = ''] = words
const { module, one } = values

try {
  const { files, said } = plan()
  const written = files.write()
  if (what === 'module') written.push(await migrate())
  console.log(`Wrote ${written.join(', ')}.\n${said}`)
} catch (error) {
  if (!(error instanceof Unfit)) throw error
  fail(error.message)
}

function plan() {
  if (what === 'module') {
    if (module !== undefined) throw new Unfit('--module is for what is made in a module.')
    return planModule(name, one)
  }
  const known = ['module', ...whats]
  if (!whats.includes(what))
    throw new Unfit(
      `There is no new “${what}”, only ${known.join(', ')}.${didYouMean(what, known)}`,
    )
  if (one !== undefined) throw new Unfit('--one is for a new module.')
  if (module === undefined)
    throw new Unfit(`--module MODULE says in which one the ${what} is made.`)
  return planPart(what, name, module)
}

async function migrate() {
  // It loads much that nothing else here needs.
  const { writeMigration } = await import('./migration.ts')
  const folder = join(root, 'modules', name)
  const place = { tables: join(folder, 'tables.ts'), folder: join(folder, 'migrations') }
  const { file } = await writeMigration(name, place)
  makeLive(name, file)
  return relative(root, file)
}
