// npm start and the operator's commands: installs what is missing, builds what has
// changed, then runs the bundled server, or a command from its source.
import { build, install } from './install.mjs'
import { runServer } from './run-server.mjs'

const [command, ...args] = process.argv.slice(2)
install()
if (!command) build()
// By itself V8 holds up to a hundred MiB for new objects. Less than 8 costs time to collect them.
runServer(
  command
    ? [`server/commands/${command}.ts`, ...args]
    : ['--max-semi-space-size=8', 'dist/server/main.js'],
)
