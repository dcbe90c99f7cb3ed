import { build } from '../../scripts/install.mjs'

/** Process tests start the bundled server, as `npm start` does. */
export default function setup() {
  build(['testClient', 'testServer', 'client', 'server', 'commands', 'function'])
}
