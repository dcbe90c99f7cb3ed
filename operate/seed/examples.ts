import { on } from '#contract/modules.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Examples } from '../../server/core/modules.ts'

const modules = join(import.meta.dirname, '..', '..', 'modules')

/** What the examples.ts of the modules that are on export. A module need not have one. */
export async function loadExamples() {
  const names = on.filter((name) => existsSync(join(modules, name, 'examples.ts')))
  return Promise.all(
    names.map(async (name) => (await import(`../../modules/${name}/examples.ts`)) as Examples),
  )
}
