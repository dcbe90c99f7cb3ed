// npm run icons: draws the pictures of the mark in client/public, which are committed. Run it when
// the mark or the product's name changes.
import { install } from '../scripts/install.mjs'
import { runServer } from '../scripts/run-server.mjs'

install()
runServer(['tools/screens/icons.ts'])
