// npm run words: the texts that each language lacks and those that are wrong. With `-- --strict` it
// fails when that is so for a language that config/languages.ts calls complete.
import { install } from '../scripts/install.mjs'
import { runServer } from '../scripts/run-server.mjs'

install()
runServer(['tools/words.ts', ...process.argv.slice(2)])
