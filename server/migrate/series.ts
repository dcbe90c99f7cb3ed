import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Migrations that are applied in their order, whatever other series there are. */
export type Series = { name: string; folder: string }

export const core = 'core'

const here = import.meta.url
/** In a bundle, vite.server.config.ts has put the modules' migrations beside this file. */
const modules = fileURLToPath(new URL(here.endsWith('.ts') ? '../../modules' : 'modules', here))

/** A module's tables are named after it: `boats` and `boats_crew` are of the module `boats`. */
export function isTableOf(module: string, table: string) {
  return table === module || table.startsWith(`${module}_`)
}

/** The core's, and then each module's, whether it is switched on or not. */
export function listSeries(): Series[] {
  const found = globSync('*/migrations', { cwd: modules }).toSorted()
  return [
    { name: core, folder: fileURLToPath(new URL('migrations', here)) },
    ...found.map((path) => ({ name: dirname(path), folder: join(modules, path) })),
  ]
}
