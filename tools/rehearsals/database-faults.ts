import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { databaseName, serverRole } from '../../server/postgres/cluster.ts'
import { onSession, superuserOn } from './postgres.ts'
import type { Proxy } from './proxy.ts'
import { runNow, type Stage } from './stage.ts'

/** A folder for a cluster. If root makes it, it is a disk of its own, which can be filled. */
export function aDisk(stage: Stage) {
  const folder = stage.makeFolder('data')
  const canFill = stage.user !== undefined
  let filling: NodeJS.Timeout | undefined
  const ballast = join(folder, 'ballast')
  if (stage.user) {
    const { uid, gid } = stage.user
    const options = `size=400m,mode=0700,uid=${uid},gid=${gid}`
    runNow('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder])
    // PostgreSQL has just been killed, and the kernel may still close its files.
    stage.atEnd(() => runNow('umount', ['--lazy', folder]))
  }
  return {
    folder,
    canFill,
    /** Takes all room, also what PostgreSQL frees meanwhile. */
    fill() {
      append(ballast)
      filling = setInterval(() => append(ballast), 100)
    },
    free() {
      clearInterval(filling)
      rmSync(ballast)
    },
  }
}

function append(file: string) {
  const [handle, block] = [openSync(file, 'a'), Buffer.alloc(64 * 1024)]
  try {
    while (writeSync(handle, block) > 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(handle)
  }
}

/** Takes every connection that the servers' role may have, with clients that ask nothing. */
export function aHoldOnConnections(port: number, proxy: Proxy) {
  const held: pg.Client[] = []
  let isTaking = false
  const servers = { ...superuserOn(port), user: serverRole, database: databaseName }

  /** Returns whether there was one. */
  async function takeOne() {
    const client = new pg.Client(servers)
    client.on('error', () => undefined)
    const taken = await client.connect().then(
      () => true,
      () => false,
    )
    if (taken && isTaking) held.push(client)
    else if (taken) await client.end()
    return taken
  }

  async function keepTaking() {
    while (isTaking) if (!(await takeOne())) await delay(10)
  }

  return {
    /** Keeps the servers away meanwhile, so that they find no connection when they come back. */
    async begin() {
      isTaking = true
      proxy.lead(undefined)
      proxy.cut()
      while (await takeOne());
      void keepTaking()
      proxy.lead(port)
    },
    async end() {
      isTaking = false
      await Promise.all(held.splice(0).map((client) => client.end()))
    },
  }
}

/** PostgreSQL refuses writes, as a standby does. */
export function aReadOnlyTime(port: number) {
  const set = (value: 'on' | 'off') =>
    onSession(port, async (session) => {
      await session.query(`alter system set default_transaction_read_only = ${value}`)
      await session.query('select pg_reload_conf()')
    })
  return { begin: () => set('on'), end: () => set('off') }
}
