// npm start and the operator's commands. In a clone it installs what is missing, builds what has
// changed, then runs the bundled server, or a command from its source. In an artefact (npm run
// pack), and in production once everything is built, it only runs what is bundled.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { begin } from './commands.mjs'
import { readEnvFile } from './env-file.mjs'
import { build, fail, hasSources, install, isBuilt, node, root, say } from './install.mjs'
import { runServer } from './run-server.mjs'

const operators = ['backup', 'fireact', 'migrate', 'restore', 'stripe-setup', 'trace']
/** These read their arguments themselves. */
const readers = ['admin', 'sandbox']

const given = process.argv.slice(2)
const command = [...operators, ...readers].includes(given[0]) ? given[0] : undefined
const args = command ? given.slice(1) : given
if (!readers.includes(command)) begin(command?.replace('-', ':') ?? 'start', args)
const hasEnvFile = readEnvFile()
const usesBundle = !hasSources || (process.env.NODE_ENV === 'production' && isBuilt())
const program = command ? `dist/commands/${command}.js` : 'dist/server/main.js'
if (!usesBundle) {
  install()
  if (!command) build()
} else if (!existsSync(node)) fail('This needs Node 24 or newer. Install it.')
else if (!existsSync(join(root, program)))
  fail(`Here is neither the source nor ${program}. Make a complete folder with npm run pack.`)
if (hasEnvFile && !command) say('Settings that the environment does not have are read from .env.')
runServer([usesBundle || !command ? program : `operate/commands/${command}.ts`, ...args])
