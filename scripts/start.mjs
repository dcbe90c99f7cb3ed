// npm start, npm run seed: installs what is missing, builds what changed, then runs the server under the Node that npm brought.
import { build, install } from './install.mjs'
import { runServer } from './run-server.mjs'

const [what = 'main'] = process.argv.slice(2)
install()
build()
runServer([`server/${what}.ts`])
