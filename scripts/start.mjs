// npm start and the operator's commands: installs what is missing, builds what has
// changed, then runs the bundled server, or a command from its source.
import { build, install } from './install.mjs'
import { runServer } from './run-server.mjs'

const [command, ...args] = process.argv.slice(2)
install()
if (!command) build()
runServer(command ? [`server/commands/${command}.ts`, ...args] : ['dist/server/main.js'])
