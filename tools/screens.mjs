// npm run screens: draws every screen in every language, width and theme on contact sheets in
// screens/, and lists texts that are cut off, have no glyphs or are in another language.
// `-- --language de --screen billing` does a part.
import { begin } from '../scripts/commands.mjs'
import { build, install } from '../scripts/install.mjs'
import { installFonts } from './fonts.mjs'
import { runServer } from '../scripts/run-server.mjs'

begin('screens', process.argv.slice(2))
install()
build()
process.env.FONTS = installFonts().join(':')
runServer(['tools/screens/screens.ts', ...process.argv.slice(2)])
