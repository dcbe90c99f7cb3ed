import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { node, root } from '../../scripts/install.mjs'
import { outcomeOf, type Journal } from './journal.ts'
import type { Server } from './fleet.ts'
import { initCluster, makeDatabase, openPostgres } from './postgres.ts'
import { counted, inWords } from './report.ts'
import { openSite } from './site.ts'
import { runNow, say, type Stage } from './stage.ts'

/** Milliseconds before the first replacement and after each. */
const quiet = 10_000

/** Replaces each server of an earlier version by the present one, and goes back if it can. */
export async function upgrade(stage: Stage, { from }: { from: string }) {
  const earlier = installEarlier(stage, from)
  const folder = stage.makeFolder('data')
  await initCluster(stage, folder)
  const postgres = await openPostgres(stage, 'postgres', folder)
  await postgres.start()
  await makeDatabase(postgres)
  const { fleet, balancer, journal, finish } = await openSite(stage, {
    roles: { web1: 'all', web2: 'all', web3: 'all' },
    pools: [postgres.port],
    direct: postgres.port,
    database: () => postgres.port,
    code: earlier,
  })
  await delay(quiet)
  for (const server of Object.values(fleet)) {
    begin(server, 'gets the present version')
    // The earlier version may stop at once. The present one waits until haproxy has noticed.
    await balancer.drain(server.name)
    await server.stop()
    await server.start(root)
    await balancer.use(server.name)
    await delay(quiet)
  }
  for (const server of Object.values(fleet)) {
    begin(server, 'gets the earlier version')
    await server.stop()
    if (!(await startsEarlier(server))) break
    await delay(quiet)
  }
  return finish(() => [counted('failed calls', failures(journal))])

  function begin({ name }: Server, what: string) {
    journal.begin(`${name} ${what}`)
    say(`${name} ${what}`)
  }

  /** Returns to the present version if the database refuses the earlier one. */
  async function startsEarlier(server: Server) {
    try {
      await server.start(earlier)
      return true
    } catch (error) {
      const refusal = /This version is too old for its database[^"\\]*/.exec(String(error))
      if (!refusal) throw error
      say(`there is no way back: ${refusal[0]}`)
      await server.start(root)
      return false
    }
  }
}

/** Requests whose caller saw anything but an answer that the product gives on purpose. */
function failures(journal: Journal) {
  const onPurpose = new Set(['done', 'refused', '503 retry'])
  return journal.attempts
    .filter((attempt) => !onPurpose.has(outcomeOf(attempt)))
    .map((attempt) => inWords(attempt, journal))
}

/** Clones this repository at a commit, installs its packages and builds it. Returns the folder. */
function installEarlier(stage: Stage, commit: string) {
  const folder = join(stage.folder, 'earlier')
  say(`installing ${commit} in ${folder}`)
  runNow('git', ['clone', '--quiet', root, folder])
  runNow('git', ['checkout', '--quiet', commit], { cwd: folder })
  const script = `import { build, install } from './scripts/install.mjs'; install(); build()`
  runNow(node, ['--input-type=module', '-e', script], { cwd: folder })
  return folder
}
