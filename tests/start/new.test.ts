import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aCopy, runIn } from './a-copy.ts'

const bin = (tool: string) => join('node_modules', '.bin', tool)
const tool = join('tools', 'new.ts')

test(
  'a new module, and what is new in it, pass the checks and tests as they are',
  { timeout: 300_000 },
  async () => {
    const copy = await aCopy()
    const make = (args: string) => runIn(copy, tool, args.split(' '))
    // A product may lack words of its own.
    const lacksWords = () => runIn(copy, join('tools', 'words.ts'), ['--strict']).status
    const before = lacksWords()
    for (const args of [
      'module zephyrs',
      'call sellZephyr --module zephyrs',
      'call findZephyrBuyers --module zephyrs',
      'screen topZephyrs --module zephyrs',
      'mail sold --module zephyrs',
      'job count --module zephyrs',
    ])
      expect(make(args), args).toMatchObject({ status: 0 })
    for (const [args, why] of [
      ['module zephyrs', 'There is a folder modules/zephyrs already.'],
      ['call getZephyr --module zephyrs', 'There is a call getZephyr already.'],
      [
        'screen delete --module zephyrs',
        'modules/zephyrs/words/en.json has other words at zephyrs.delete.title already.',
      ],
    ] as const)
      expect(make(args)).toEqual({ status: 1, output: `${why}\n` })
    const passes = (program: string, ...args: string[]) =>
      expect(runIn(copy, program, args), program).toMatchObject({ status: 0 })
    passes(bin('oxfmt'), '--check', '.')
    passes(bin('oxlint'), '--type-aware', 'modules/zephyrs')
    expect(lacksWords()).toBe(before)

    await writeFile(join(copy, 'modules/zephyrs/sale.test.ts'), ofSale)
    const server = join(copy, 'modules/zephyrs/server.ts')
    const made = await readFile(server, 'utf8')
    await writeFile(server, made.replace('async sellZephyr() {', sellingZephyr))
    passes(bin('tsc'), '--noEmit', '-p', 'modules')
    const near = ['server/http/every-call', 'server/mails/mails', 'tests/palette-words']
    passes(bin('vitest'), 'run', '--project', 'server', 'modules/zephyrs', ...near)
  },
)

/** Adds the job and the mail of the module to the transaction of its call. */
const sellingZephyr = `async sellZephyr({ subscription, user }, { jobs }) {
  const values = { name: user.displayName, subscriptionId: subscription.id }
  const to = { to: user.email, language: user.language }
  await jobs.add('zephyrs.count', { subscriptionId: subscription.id })
  await jobs.add('sendMail', { mail: 'zephyrs.sold', ...to, values })
`
const ofSale = `import { expect, test } from 'vitest'
import { aLog, aWorld } from '../../tests/world.ts'

test('a job of a module runs, and its mail arrives', async () => {
  const { lines, log } = aLog('info')
  const world = await aWorld({}, log)
  const { id: subscriptionId, owner } = await world.aProject()
  await owner.does('sellZephyr', { subscriptionId })
  expect((await world.mails(owner.email))[0]).toMatchObject({ subject: 'Sold' })
  expect(lines.join('')).toContain('zephyrs.count has run')
})
`
