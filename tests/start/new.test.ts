import { readFile, rm, writeFile } from 'node:fs/promises'
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
    await rm(join(copy, 'modules', 'documents'), { recursive: true })
    await writeFile(join(copy, 'modules', 'index.ts'), '// No module yet.\nexport {}\n')
    const made = (args: string) => runIn(copy, tool, args.split(' '))
    for (const args of [
      'module companies',
      'call sellCompany --module companies',
      'call findBuyers --module companies',
      'screen topBuyers --module companies',
      'mail sold --module companies',
      'job count --module companies',
    ])
      expect(made(args), args).toMatchObject({ status: 0 })
    for (const [args, why] of [
      ['module companies', 'There is a folder modules/companies already.'],
      ['call getCompany --module companies', 'There is a call getCompany already.'],
      [
        'screen delete --module companies',
        'modules/companies/words/en.json has other words at companies.delete.title already.',
      ],
    ] as const)
      expect(made(args)).toEqual({ status: 1, output: `${why}\n` })
    const read = (file: string) => readFile(join(copy, file), 'utf8')
    expect(await read('config/product.ts')).toContain("modules: ['companies'],")
    const passes = (program: string, ...args: string[]) =>
      expect(runIn(copy, program, args), program).toMatchObject({ status: 0 })
    passes(bin('oxfmt'), '--check', '.')
    passes(bin('oxlint'), '--type-aware', 'modules')
    expect(runIn(copy, join('tools', 'words.ts'), []).output).not.toMatch(/^en /m)

    await writeFile(join(copy, 'modules/companies/sale.test.ts'), ofSale)
    const server = await read('modules/companies/server.ts')
    const sale = server.replace('async sellCompany() {', sellingCompany)
    await writeFile(join(copy, 'modules/companies/server.ts'), sale)
    passes(bin('tsc'), '--noEmit', '-p', 'modules')
    const near = ['server/http/every-call', 'server/mails/mails', 'tests/palette-words']
    passes(bin('vitest'), 'run', '--project', 'server', 'modules', ...near)
  },
)

/** Adds the job and the mail of the module to the transaction of its call. */
const sellingCompany = `async sellCompany({ subscription, user }, { jobs }) {
  const values = { name: user.displayName, subscriptionId: subscription.id }
  const to = { to: user.email, language: user.language }
  await jobs.add('companies.count', { subscriptionId: subscription.id })
  await jobs.add('sendMail', { mail: 'companies.sold', ...to, values })
`
const ofSale = `import { expect, test } from 'vitest'
import { aLog, aWorld } from '../../tests/world.ts'

test('a job of a module runs, and its mail arrives', async () => {
  const { lines, log } = aLog('info')
  const world = await aWorld({}, log)
  const { id: subscriptionId, owner } = await world.aProject()
  await owner.does('sellCompany', { subscriptionId })
  expect((await world.mails(owner.email))[0]).toMatchObject({ subject: 'Sold' })
  expect(lines.join('')).toContain('companies.count has run')
})
`
