// npm run bench: the product beside bare floors. Read the ratios; the times are this machine's. bench:data makes a large database for it.
import { install } from './install.mjs'
import { runServer } from './run-server.mjs'

install()
runServer([`tests/bench/${process.argv[2] ?? 'bench'}.ts`])
