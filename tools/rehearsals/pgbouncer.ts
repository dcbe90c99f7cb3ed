import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { databaseName, serverRole } from '../../server/postgres/cluster.ts'
import { aFreePort } from '../free-port.ts'
import { password } from './postgres.ts'
import { pathOf, type Stage } from './stage.ts'

export type PgBouncer = Awaited<ReturnType<typeof openPgBouncer>>

/** Starts a PgBouncer in transaction mode in front of a port. */
export async function openPgBouncer(stage: Stage, name: string, database: number) {
  const port = await aFreePort()
  const folder = stage.makeFolder(name)
  const [users, config] = [join(folder, 'users.txt'), join(folder, 'pgbouncer.ini')]
  // Its user owns the folder, and nobody else can enter it.
  writeFileSync(users, `"${serverRole}" "${password}"\n`, { mode: 0o644 })
  writeFileSync(config, settings({ port, database, users }), { mode: 0o644 })
  const start = () => stage.start(name, pathOf('pgbouncer'), [config])
  let child = start()
  stage.atEnd(() => child.kill('SIGKILL'))
  return {
    port,
    signal: (signal: NodeJS.Signals) => child.kill(signal),
    startAgain: () => void (child = start()),
  }
}

/** `server_login_retry`: after a failed login PgBouncer would refuse everybody for 15 seconds. */
function settings({ port, database, users }: { port: number; database: number; users: string }) {
  return `[databases]
${databaseName} = host=127.0.0.1 port=${database} dbname=${databaseName}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
max_client_conn = 500
default_pool_size = 20
server_login_retry = 0.2
`
}
