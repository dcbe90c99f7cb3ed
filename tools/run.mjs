// Runs a tool, after the packages that it needs are installed.
import { install } from '../scripts/install.mjs'
import { runServer } from '../scripts/run-server.mjs'

const [tool, ...args] = process.argv.slice(2)
install()
runServer([`tools/${tool}.ts`, ...args])
