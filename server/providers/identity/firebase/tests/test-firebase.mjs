// npm run test:firebase: tests IDENTITY=firebase against Google's Auth emulator. It needs no
// account and no Java, and the npm registry only the first time.
import { begin } from '../../../../../scripts/commands.mjs'
import { installApart } from '../../../../../scripts/install-apart.mjs'
import { install } from '../../../../../scripts/install.mjs'
import { runServer } from '../../../../../scripts/run-server.mjs'

begin('test:firebase', process.argv.slice(2))
install()
process.env.FIREBASE_TOOLS = installApart('firebase-tools', {
  packages: { 'firebase-tools': '15.34.2' },
  size: '270 MB',
})
const config = 'server/providers/identity/firebase/tests/vitest.config.ts'
runServer(['node_modules/vitest/vitest.mjs', 'run', '--config', config])
