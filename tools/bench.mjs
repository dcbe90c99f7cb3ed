// npm run bench: compares the product with bare servers. Read the ratios, since the times are this
// machine's. npm run bench:data makes a large database for it.
import { install } from '../scripts/install.mjs'
import { runServer } from '../scripts/run-server.mjs'

install()
runServer([`tools/bench/${process.argv[2] ?? 'bench'}.ts`])
