// npm run rehearse -- NAME: runs several servers under load, breaks things, and accounts for every
// acknowledged change. See README.md in this folder.
import { parseArgs } from 'node:util'
import { build } from '../../scripts/install.mjs'
import { failover } from './failover.ts'
import { faults } from './faults.ts'
import { openStage, whatIsMissing, type Program, type Stage } from './stage.ts'
import { upgrade } from './upgrade.ts'

type Options = { direct: boolean; lossy: boolean; from: string }
type Rehearsal = {
  needs: Program[]
  /** Returns whether every must is met. */
  run: (stage: Stage, options: Options) => Promise<boolean>
}

const rehearsals: Record<string, Rehearsal> = {
  failover: { needs: ['setpriv', 'haproxy', 'pgbouncer'], run: failover },
  faults: { needs: ['setpriv', 'haproxy', 'pgbouncer'], run: faults },
  upgrade: { needs: ['setpriv', 'haproxy'], run: upgrade },
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    direct: { type: 'boolean', default: false },
    from: { type: 'string', default: 'HEAD' },
    lossy: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
})
const [name = ''] = positionals
const rehearsal = rehearsals[name]
if (!rehearsal) {
  console.error(`Name a rehearsal: ${Object.keys(rehearsals).join(', ')}.`)
  process.exit(1)
}
const missing = whatIsMissing(rehearsal.needs)
if (missing) {
  console.log(missing)
  process.exit(0)
}

build()
const stage = await openStage(values)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  // A terminal's Ctrl-C comes twice: once from the terminal, once from tools/run.mjs.
  process.on(signal, () => void stage.close().finally(() => process.exit(130)))
let isMet = false
try {
  isMet = await rehearsal.run(stage, values)
} finally {
  await stage.close()
}
process.exit(isMet ? 0 : 1)
