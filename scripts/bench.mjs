// npm run bench: the product beside bare floors. Read the ratios; the times are this machine's.
import { install } from './install.mjs'
import { runServer } from './run-server.mjs'

install()
runServer(['tests/bench/bench.ts'])
