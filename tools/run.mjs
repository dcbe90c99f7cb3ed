// Runs the tool of a command in package.json, after the packages that it needs are installed.
import { begin } from '../scripts/commands.mjs'
import { readEnvFile } from '../scripts/env-file.mjs'
import { install } from '../scripts/install.mjs'
import { runServer } from '../scripts/run-server.mjs'

const [name, tool, ...args] = process.argv.slice(2)
begin(name, args)
install()
// Of all tools, this one alone works on the operator's server.
if (name === 'seed') readEnvFile()
runServer([`tools/${tool}.ts`, ...args])
