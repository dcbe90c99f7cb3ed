// npm run seed: makes example people and projects on the running server, or on one of its own.
import { install } from '../scripts/install.mjs'
import { runServer } from '../scripts/run-server.mjs'

install()
runServer(['tools/seed/seed.ts'])
