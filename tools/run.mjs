// Runs a tool, after the packages that it needs are installed.
import { readEnvFile } from '../scripts/env-file.mjs'
import { install } from '../scripts/install.mjs'
import { runServer } from '../scripts/run-server.mjs'

const [tool, ...args] = process.argv.slice(2)
install()
// Of all tools, this one alone works on the operator's server.
if (tool === 'seed/seed') readEnvFile()
runServer([`tools/${tool}.ts`, ...args])
