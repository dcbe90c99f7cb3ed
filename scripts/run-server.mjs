import { spawn } from 'node:child_process'
import { node, root } from './install.mjs'

/** Runs a program of ours until it ends, passing signals on; ends as it ended. It stops too if this process or npm above it is killed. */
export function runServer(args) {
  const child = spawn(node, args, { cwd: root, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  // A terminal sends Ctrl-C to the whole group, the child included; other senders mean this process alone.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500).unref()
  child.on('exit', (code) => process.exit(code ?? 1))
  return child
}
