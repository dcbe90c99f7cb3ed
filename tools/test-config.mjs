// npm run test:config: runs npm test in a copy of the project in which every value in config/ is
// different. `npm run test:config -- server/invites` runs the checks and the tests of a folder, and
// journeys by their names, such as main-job.spec.ts.
import { install } from '../scripts/install.mjs'
import { runServer } from '../scripts/run-server.mjs'

install()
runServer(['tools/test-config.ts', ...process.argv.slice(2)])
