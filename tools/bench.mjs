// npm run bench: the product beside bare floors. Read the ratios; the times are this machine's. bench:data makes a large database for it.
import { install } from '../scripts/install.mjs'
import { runServer } from '../scripts/run-server.mjs'

install()
runServer([`tools/bench/${process.argv[2] ?? 'bench'}.ts`])
