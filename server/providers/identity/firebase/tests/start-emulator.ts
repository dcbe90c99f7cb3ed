import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { aFreePort } from '../../../../../tools/free-port.ts'
import { emulatorSettings } from './emulator.ts'

/** Starts Google's Auth emulator, and tells the tests and the servers in them where it is. */
export default async function setup() {
  const folder = mkdtempSync(join(tmpdir(), 'app-firebase-'))
  const port = await aFreePort()
  const place = async () => ({ host: '127.0.0.1', port: await aFreePort() })
  const emulators = {
    auth: { host: '127.0.0.1', port },
    hub: await place(),
    logging: await place(),
    ui: { enabled: false },
  }
  writeFileSync(join(folder, 'firebase.json'), JSON.stringify({ emulators }))
  const bin = join(process.env['FIREBASE_TOOLS']!, 'firebase-tools', 'lib', 'bin', 'firebase.js')
  const options = ['--only', 'auth', '--project', emulatorSettings.projectId]
  const emulator = spawn(process.execPath, [bin, 'emulators:start', ...options], {
    cwd: folder,
    // The emulator keeps its settings and logs in this folder, and looks for no newer version.
    env: { ...process.env, XDG_CONFIG_HOME: folder, NO_UPDATE_NOTIFIER: '1', CI: '1' },
  })
  let said = ''
  for (const stream of [emulator.stdout, emulator.stderr])
    stream.on('data', (text: Buffer) => (said += text.toString()))
  const ended = once(emulator, 'exit')
  const host = `127.0.0.1:${port}`
  const patience = AbortSignal.timeout(60_000)
  while (!(await answers(host))) {
    if (emulator.exitCode !== null || patience.aborted)
      throw new Error(`The Auth emulator did not start.\n${said}`)
    await delay(100)
  }
  process.env['FIREBASE_AUTH_EMULATOR_HOST'] = host
  return async () => {
    // A kill loses nothing. An orderly stop would write into the folder that is removed next.
    emulator.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
}

async function answers(host: string) {
  return fetch(`http://${host}/`).then(
    ({ ok }) => ok,
    () => false,
  )
}
