// npm run icons: draws what client/public has of the mark as pictures, and what is shown where the app is linked. Needed again only when
// the mark or the product's name changes; what comes of it is committed.
import { install } from './install.mjs'
import { runServer } from './run-server.mjs'

install()
runServer(['tests/screens/icons.ts'])
