// npm run screens: every screen in every language, narrow and wide, light and dark, on contact sheets in screens/; and what is wrong on
// them: texts that are cut off, that have no glyphs, or that are in another language. `-- --language de --screen billing` for a part.
import { build, install } from '../scripts/install.mjs'
import { installFonts } from './fonts.mjs'
import { runServer } from '../scripts/run-server.mjs'

install()
build()
process.env.FONTS = installFonts().join(':')
runServer(['tools/screens/screens.ts', ...process.argv.slice(2)])
