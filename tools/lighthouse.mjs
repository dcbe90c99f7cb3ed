// npm run lighthouse: measures the main screens with Lighthouse's mobile profile. With `-- billing`
// it measures one screen. It needs the npm registry only the first time.
import { begin } from '../scripts/commands.mjs'
import { installApart } from '../scripts/install-apart.mjs'
import { build, install } from '../scripts/install.mjs'
import { runServer } from '../scripts/run-server.mjs'

begin('lighthouse', process.argv.slice(2))
install()
build()
process.env.LIGHTHOUSE = installApart('lighthouse', {
  packages: { lighthouse: '13.5.0' },
  size: '180 MB',
})
runServer(['tools/lighthouse/lighthouse.ts', ...process.argv.slice(2)])
