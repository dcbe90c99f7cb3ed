import { build } from '../../scripts/install.mjs'

/** Process tests start the server as `npm start` does. */
export default function setup() {
  build()
}
