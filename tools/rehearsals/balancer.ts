import { once } from 'node:events'
import { chownSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { readiness } from './fleet.ts'
import { pathOf, type Stage } from './stage.ts'

type Backend = { name: string; port: number }

export type Balancer = Awaited<ReturnType<typeof openBalancer>>

/** Starts haproxy in front of the servers. */
export async function openBalancer(stage: Stage, port: number, servers: Backend[]) {
  const folder = stage.makeFolder('haproxy')
  const [config, socket] = [join(folder, 'haproxy.cfg'), join(folder, 'socket')]
  writeFileSync(config, settings({ port, socket, servers }))
  if (stage.user) chownSync(config, stage.user.uid, stage.user.gid)
  const child = stage.start('haproxy', pathOf('haproxy'), ['-db', '-f', config])
  stage.atEnd(() => child.kill('SIGKILL'))
  while ((await readiness(port)) !== 200) await delay(20)

  /** Asks haproxy's runtime API. */
  async function tell(command: string) {
    const line = connect(socket)
    await once(line, 'connect')
    line.end(`${command}\n`)
    return text(line)
  }

  async function requestsAt(name: string) {
    const rows = (await tell('show stat')).split('\n').map((row) => row.split(','))
    const column = rows[0]!.indexOf('scur')
    return Number(rows.find(([backend, server]) => backend === 'web' && server === name)?.[column])
  }

  return {
    /** Sends no more requests to a server, and waits until it has answered those it has. */
    async drain(name: string) {
      await tell(`set server web/${name} state drain`)
      while ((await requestsAt(name)) > 0) await delay(20)
    },
    use: (name: string) => tell(`set server web/${name} state ready`),
  }
}

type Settings = { port: number; socket: string; servers: Backend[] }

/** `default_backend web` has what operators usually write. The checks are more frequent. */
function settings({ port, socket, servers }: Settings) {
  const lines = servers.map(({ name, port }) => `  server ${name} 127.0.0.1:${port}`)
  return `global
  stats socket ${socket} mode 600 level admin
defaults
  mode http
  timeout connect 2s
  timeout client 90s
  timeout server 90s
  timeout check 2s
  retries 3
  option redispatch
frontend people
  bind 127.0.0.1:${port}
  default_backend web
backend web
  option httpchk GET /readyz
  default-server check inter 300ms
${lines.join('\n')}
`
}
