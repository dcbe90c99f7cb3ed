// npm run pictures: draws the README's pictures from the running product.
import { begin } from '../scripts/commands.mjs'
import { build, install } from '../scripts/install.mjs'
import { runServer } from '../scripts/run-server.mjs'
import { installFonts } from './fonts.mjs'

begin('pictures', process.argv.slice(2))
install()
build()
process.env.FONTS = installFonts().join(':')
runServer(['tools/pictures/pictures.ts'])
