// npm start, npm run seed and the operator's tools: installs what is missing, builds what changed where the web app is served, then runs
// the program under the Node that npm brought.
import { build, install } from './install.mjs'
import { runServer } from './run-server.mjs'

const [what = 'main', ...args] = process.argv.slice(2)
install()
if (['main', 'seed'].includes(what)) build()
runServer([what === 'main' ? 'server/main.ts' : `server/commands/${what}.ts`, ...args])
