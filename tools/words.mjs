// npm run words: lists the texts that each language lacks, and wrong texts. With `-- --strict` it
// fails if a language that config/languages.ts calls complete has any of them.
import { install } from '../scripts/install.mjs'
import { runServer } from '../scripts/run-server.mjs'

install()
runServer(['tools/words.ts', ...process.argv.slice(2)])
