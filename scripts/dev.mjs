// npm run dev: the server restarts when its files change, the browser reloads when the app's do.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { install, node, root } from './install.mjs'
import { runServer } from './run-server.mjs'

install()
const port = Number(process.env.PORT ?? 3000)
// People open the web app's own server; it passes on what it does not know to ours, one port further.
process.env.PORT = String(port + 1)
process.env.PUBLIC_URL ??= `http://localhost:${port}`
const vite = spawn(node, [join('node_modules', 'vite', 'bin', 'vite.js'), '--port', String(port), '--strictPort', '--clearScreen=false'], {
  cwd: root,
  stdio: ['ignore', 'inherit', 'inherit'],
})
process.on('exit', () => vite.kill())
vite.on('exit', (code) => process.exit(code ?? 1))
const watched = ['server', 'contract', 'config', 'sandbox', 'locales'].map((folder) => `--watch-path=${folder}`)
runServer([...watched, '--watch-preserve-output', 'server/main.ts'])
