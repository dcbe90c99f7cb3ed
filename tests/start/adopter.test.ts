// @module-tag slow
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { CallName } from '#contract/calls.ts'
import { runIn } from './a-copy.ts'
import { ann, aFolder, aServer, aStarted, signUp, type Server } from './a-server.ts'
import { aLaterVersion, aProduct, isOwn, later, mendConflict } from './adopter.ts'

test.skipIf(!isOwn)(
  'a product made of the last release takes the next one, with its module and its data',
  { timeout: 900_000 },
  async () => {
    const folder = await aProduct()
    const env = { DATA_DIR: await aFolder(), LOG_LEVEL: 'info', NODE_OPTIONS: '' }
    const starts = () => aStarted({ args: ['server/main.ts'], cwd: folder, env })
    const former = await starts()
    const token = await signUp(former)
    const free = { planId: 'free' }
    const { subscriptionId } = (await former.call('createSubscription', free, { token })).result!
    const alma = { subscriptionId, name: 'Alma', note: '' }
    expect(await callBoats(former, 'createBoat', alma, token)).toMatchObject({ status: 200 })
    former.child.kill()
    await former.ended

    const { folder: place, migration } = await aLaterVersion()
    const upgrade = () => runIn(folder, 'tools/upgrade.ts', [later, '--from', place])
    expect(upgrade().output).toMatch(
      /Conflicts: 2\n {2}config\/product\.ts\n {2}contract\/calls\.ts\n/,
    )
    await mendConflict(folder)
    const { status, output } = upgrade()
    expect(output).toMatch(/, 0 failed\n\nVersion 99\.0\.0 is in, after \d/)
    expect(status).toBe(0)
    const args = ['operate/commands/migrate.ts']
    const { stdout } = await (await aServer({ args, cwd: folder, env })).ended
    expect(stdout).toMatch(new RegExp(`^Applied (.*, )?${migration}[.,]`))

    const upgraded = await starts()
    const here = { subscriptionId, page: 1, pageSize: 10 }
    const list = await callBoats(upgraded, 'listBoats', here, token)
    expect(list.result).toMatchObject({ total: 1, boats: [{ name: 'Alma' }] })
    for (const [name, answer] of [
      ['Brise', 200],
      ['Cora', 429],
    ])
      expect((await callBoats(upgraded, 'createBoat', { ...alma, name }, token)).status).toBe(
        answer,
      )
    const mails = async () =>
      (await fetch(`${upgraded.url}/dev/mail.json?to=${ann.email}`)).json() as Promise<
        { subject: string; html: string }[]
      >
    const added = async () => (await mails()).filter(({ subject }) => subject === 'Added')
    while ((await added()).length < 2) await upgraded.call('refreshSession', {})
    expect((await added())[0]!.html).toContain('max-width:600px')
    while (!upgraded.log().includes('boats.note has run')) await upgraded.call('refreshSession', {})
    const vitest = join('node_modules', '.bin', 'vitest')
    const tests = ['run', '--project', 'server', 'modules/boats', 'tests/modules.test.ts']
    expect(runIn(folder, vitest, tests)).toMatchObject({ status: 0 })
  },
)

/** A call that only the adopter's contract has. */
function callBoats({ call }: Server, name: string, input: object, token: string) {
  return call(name as CallName & 'getUser', input as Record<string, never>, { token })
}
