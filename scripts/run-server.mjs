import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { node, root } from './install.mjs'

/** Runs a program of ours, passes signals on to it, and ends with its exit code. */
export function runServer(args) {
  const env = {
    // The compile cache halves the time that the program takes to load.
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node'),
    // glibc would keep memory for each processor and thread that has ever needed some.
    MALLOC_ARENA_MAX: '2',
    ...process.env,
  }
  // The channel closes if this process is killed; then the program stops too.
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc']
  const child = spawn(node, args, { cwd: root, env, stdio })
  let stopping = false
  const stop = (signal) => {
    if (!stopping) child.kill(signal)
    stopping = true
  }
  // A terminal sends Ctrl-C to the child too, other senders only to this process.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal))
  child.on('exit', (code) => process.exit(code ?? 1))
  return { stop }
}
