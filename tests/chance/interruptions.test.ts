import * as fc from 'fast-check'
import { test, expect } from 'vitest'
import { readBooks } from './books.ts'
import { aBank, deeds, type Deed, type Bank, type Stand } from './deeds.ts'
import { whatIsWrong } from './rules.ts'

/** How many interruptions there are, and the seed that chooses them. */
const { INTERRUPTIONS = '90', INTERRUPTIONS_SEED = '1' } = process.env

const hop = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      where: fc.constant('at the provider' as const),
      fault: fc.constantFrom('break', 'break', 500, 429),
      at: fc.constantFrom('before', 'after'),
      /** How many requests come through before the fault begins, and how many then have it. */
      skip: fc.nat(9),
      times: fc.constantFrom(null, null, 1, 2),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      where: fc.constantFrom(
        'before it arrives' as const,
        'before its answer arrives' as const,
        'while it is at work' as const,
      ),
    }),
  },
)

const story = fc.record({
  what: fc.constantFrom(...(Object.keys(deeds) as (keyof typeof deeds)[])),
  hop,
  webhooks: fc.constantFrom('deliver', 'hold', 'drop'),
  goesOn: fc.constantFrom(
    'reloads' as const,
    'has the app ask again' as const,
    'types it again' as const,
    'goes on in two other tabs at once' as const,
    'never comes back' as const,
  ),
})
type Story = typeof story extends fc.Arbitrary<infer T> ? T : never

test(
  'whatever interrupts a call about money, it is carried out once, and its person reads that it is done, at work, or not done and not charged',
  { timeout: 3_600_000 },
  async () => {
    const first = Number(INTERRUPTIONS_SEED)
    const numRuns = Math.ceil(Number(INTERRUPTIONS) / 3)
    const banks: { seed: number; stories: Story[]; bank: Bank }[] = []
    for (const seed of [first, first + 1, first + 2]) {
      const stories = fc.sample(story, { seed, numRuns })
      banks.push({ seed, stories, bank: await aBank(stories.map(({ what }) => what)) })
    }
    const told = banks.map(async ({ seed, stories, bank }) => {
      const wrong: string[] = []
      for (const [index, each] of stories.entries()) {
        const found = await interrupt(await bank.begin(each.what), each, bank)
        if (found.length > 0) wrong.push(`${index} of seed ${seed}: ${inWords(each)}`, ...found)
      }
      return [...wrong, ...whatIsWrong(await readBooks(bank.pool))]
    })
    expect((await Promise.all(told)).flat()).toEqual([])
  },
)

async function interrupt(deed: Deed, { hop, webhooks, goesOn }: Story, bank: Bank) {
  const { control } = bank
  const found: string[] = []
  const before = await bank.moved()
  const moved = async () => {
    const now = await bank.moved()
    return { charges: now.charges - before.charges, refunded: now.refunded - before.refunded }
  }
  const isMoved = async () => {
    const { charges, refunded } = await moved()
    return charges > 0 || refunded > 0
  }
  const moves = deed.charges > 0 || (deed.refunded ?? 0) > 0
  /** Reads twice, as the money may move between the readings. */
  const look = async (when: string): Promise<Stand> => {
    const was = await isMoved()
    const stand = await deed.stand()
    if (stand === 'unsure') found.push(`  ${when}, nobody says what became of it`)
    if (moves && stand === 'not done' && was) found.push(`  ${when}, it is not done, and charged`)
    if (moves && stand === 'done' && !(await isMoved()))
      found.push(`  ${when}, it is done, and nothing was charged`)
    return stand
  }
  const act = async (as: Parameters<Deed['act']>[0]) => {
    const reason = await deed.act(as)
    if (reason !== undefined && !explained.has(reason)) found.push(`  it is refused with ${reason}`)
  }

  await control({ webhooks: { mode: webhooks } })
  if (hop.where === 'at the provider') {
    const { where: _, ...api } = hop
    await control({ api })
  }
  const first = hop.where === 'before it arrives' ? undefined : act({ attempt: 'first' })
  if (hop.where !== 'while it is at work') await first
  await look('while the fault lasts')
  await control({ api: {} })
  const stand = await look('after the fault')

  const isLeft = (stand: Stand) =>
    stand === 'not done' || (stand === 'working' && deed.isAskedAgain)
  if (goesOn === 'reloads' && isLeft(stand)) await act({ attempt: 'second' })
  if (goesOn === 'has the app ask again') await act({ attempt: 'first' })
  if (goesOn === 'types it again') await act({ attempt: 'second', isTyped: true })
  if (goesOn === 'goes on in two other tabs at once')
    await Promise.all([act({ attempt: 'second' }), act({ attempt: 'third' })])
  await first
  await look('after going on')

  await bank.rest()
  const end = await look('in the end')
  if (end === 'working' && !deed.isAskedAgain) found.push('  in the end, it is still at work')
  if (isLeft(end) && goesOn !== 'never comes back') {
    await act({ attempt: 'last' })
    await bank.rest()
    if ((await look('after the last try')) !== 'done') found.push('  the last try does not do it')
  }
  const { charges, refunded } = await moved()
  const isDone = (await deed.stand()) === 'done'
  const due = isDone ? deed.charges : 0
  if (charges !== due) found.push(`  it is charged ${charges} times, not ${due}`)
  if (refunded !== (isDone ? (deed.refunded ?? 0) : 0)) found.push(`  ${refunded} went back`)
  return found
}

/** Refusals that say what to do now, or that it is done. */
const explained = new Set([
  'paymentsUnavailable',
  'billingBusy',
  'previewOutdated',
  'samePlan',
  'notOverdue',
  'subscriptionCanceled',
])

function inWords({ what, hop, webhooks, goesOn }: Story) {
  return `somebody ${what}; ${JSON.stringify(hop)}; webhooks: ${webhooks}; who ${goesOn}`
}
