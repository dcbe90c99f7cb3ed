// npm run icons: draws what client/public has of the mark as pictures, and what is shown where the app is linked. Needed again only when
// the mark or the product's name changes; what comes of it is committed.
import { install } from '../scripts/install.mjs'
import { runServer } from '../scripts/run-server.mjs'

install()
runServer(['tools/screens/icons.ts'])
