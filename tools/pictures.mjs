// npm run pictures: draws the README's pictures from the running product.
import { build, install } from '../scripts/install.mjs'
import { runServer } from '../scripts/run-server.mjs'

install()
build()
runServer(['tools/pictures/pictures.ts'])
