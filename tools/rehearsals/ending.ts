import { setTimeout as delay } from 'node:timers/promises'
import { account, slowestMail, type Exempt } from './accounting.ts'
import type { Calls } from './calls.ts'
import type { Server } from './fleet.ts'
import type { Hold, Holds } from './holds.ts'
import { outcomeOf, type Attempt, type Journal } from './journal.ts'
import type { Ledger } from './ledger.ts'
import type { Look } from './postgres.ts'
import { counted, inWords, printPhases, report, type Row } from './report.ts'
import { say } from './stage.ts'

/** Milliseconds that the jobs have to end after the load. */
const patience = 90_000
/** The most milliseconds that something may be held, and that an answer may wait for that. */
const longest = 60_000
/** The most milliseconds that an answer may take while something is broken. */
const longestInFault = 6000

type Parts = {
  servers: Server[]
  journal: Journal
  ledger: Ledger
  look: Look
  calls: Calls
  holds: Holds
  /** Settles when the load has ended. */
  running: Promise<unknown>
}

/** Ends the load, waits for the jobs and reports. Returns whether every must is met. */
export async function finish(parts: Parts, more: () => Row[], exempt?: Exempt) {
  const { servers, journal, ledger, look, calls, holds, running } = parts
  const began = journal.phases[0]!.at
  const ended = Date.now()
  calls.stop()
  journal.begin('the end')
  await running
  say('the load has ended')
  const left = await untilIdle(look)
  const changed = await calls.repeatAll()
  say('every call with a key is repeated')
  const crashes = servers.flatMap(({ crashes }) => crashes)
  const rows = [
    ...(await account(ledger, look, exempt)),
    counted('jobs that are not done', left),
    counted('calls that were never answered', calls.unanswered),
    counted('answers that changed for a repeated key', changed),
    counted('servers that ended by themselves', crashes),
    ...answers(journal),
    { what: 'slowest mail of an invitation', had: await slowestMail(ledger, look), unit: 'ms' },
    ...held(await holds.stop(), journal),
    gap(journal, began, ended),
    ...more(),
  ]
  printPhases(journal)
  return report(rows)
}

/** Returns the jobs that are left when the patience ends. */
async function untilIdle(look: Look) {
  const jobs = `
    select 'in the outbox' task, '' error from outbox union all
    select task, coalesce(left(last_error, 200), '') from jobs`
  let left: { task: string; error: string }[] = []
  for (const end = Date.now() + patience; Date.now() < end; await delay(200)) {
    left = await look<{ task: string; error: string }>(jobs)
    if (left.length === 0) break
  }
  return left.map(({ task, error }) => `${task} ${error}`.trim())
}

/** What the requests of the load had for an answer. */
function answers(journal: Journal): Row[] {
  const { attempts, surprises } = journal
  const inText = (attempt: Attempt) => inWords(attempt, journal)
  const ours = attempts.filter((attempt) => outcomeOf(attempt) === '500').map(inText)
  const sorted = attempts.toSorted((a, b) => b.ms - a.ms)
  const slowest = sorted.slice(0, 8)
  const isInFault = ({ at }: Attempt) => !/^(before|after|the end)/.test(journal.phaseAt(at).name)
  return [
    counted('answers 500', ours),
    counted('refusals that nobody expected', surprises),
    {
      what: 'longest answer',
      had: slowest[0]!.ms,
      unit: 'ms',
      must: longest,
      cases: slowest.map(inText),
    },
    {
      what: 'longest answer to what is asked during a fault',
      had: sorted.find(isInFault)?.ms ?? 0,
      unit: 'ms',
      must: longestInFault,
    },
  ]
}

function held(holds: Map<string, Hold>, journal: Journal): Row[] {
  return [...holds].map(([what, { ms, since }]) => ({
    what: `${what}: longest hold`,
    had: ms,
    unit: 'ms',
    must: longest,
    cases: ms > 1000 ? [`begun in "${journal.phaseAt(since).name}"`] : [],
  }))
}

function gap(journal: Journal, from: number, to: number): Row {
  const { at, ms } = journal.longestGap(from, to)
  const cases = [`ended in "${journal.phaseAt(at).name}"`]
  return { what: 'longest time without an acknowledged write', had: ms, unit: 'ms', cases }
}
