// npm run dev: the server restarts when its files change, the browser reloads when the app's do.
import { spawn } from 'node:child_process'
import { begin } from './commands.mjs'
import { readEnvFile } from './env-file.mjs'
import { install, node, root, vite } from './install.mjs'
import { runServer } from './run-server.mjs'

begin('dev', process.argv.slice(2))
install()
readEnvFile()
const port = Number(process.env.PORT || 3000)
// The browser opens Vite's server, which forwards the API to our server on the next port.
process.env.PORT = String(port + 1)
process.env.PUBLIC_URL ||= `http://localhost:${port}`
const app = spawn(node, [vite, '--port', String(port), '--strictPort', '--logLevel=warn'], {
  cwd: root,
  stdio: ['ignore', 'inherit', 'inherit'],
})
process.on('exit', () => app.kill())

const watched = ['server', 'contract', 'config', 'sandbox', 'locales'].map(
  (folder) => `--watch-path=${folder}`,
)
const server = runServer([...watched, '--watch-preserve-output', 'server/main.ts'])
app.on('exit', () => server.stop('SIGTERM'))
