// npm run test:firebase: tests IDENTITY=firebase against Google's Auth emulator. It needs no
// account and no Java, and the npm registry only the first time.
import { begin } from './commands.mjs'
import { installApart } from './install-apart.mjs'
import { install } from './install.mjs'
import { runServer } from './run-server.mjs'

begin('test:firebase', process.argv.slice(2))
install()
process.env.FIREBASE_TOOLS = installApart('firebase-tools', {
  packages: { 'firebase-tools': '15.34.2' },
  size: '270 MB',
})
runServer(['node_modules/vitest/vitest.mjs', 'run', '--config', 'tests/firebase/vitest.config.ts'])
