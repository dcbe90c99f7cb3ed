// npm run pictures: draws the README's pictures from the running product.
import { begin } from '../scripts/commands.mjs'
import { build, install } from '../scripts/install.mjs'
import { runServer } from '../scripts/run-server.mjs'

begin('pictures', process.argv.slice(2))
install()
build()
runServer(['tools/pictures/pictures.ts'])
