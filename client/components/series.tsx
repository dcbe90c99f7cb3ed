import { Check, Clock, X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { mayHaveArrived, newIdempotencyKey, tellOfChange } from '../api/call.ts'
import { toCallError, type CallError } from '../api/post.ts'
import { Address } from './breakable.tsx'
import { classes } from './classes.ts'
import { Turning } from './spinner.tsx'

type Reason = CallError['reason']

/** The server refuses the same call with any other input too. */
export const forAll: readonly Reason[] = [
  'accessDenied',
  'adminOnly',
  'auth/too-many-requests',
  'claimRequired',
  'emailNotVerified',
  'lookOnly',
  'notSignedIn',
  'permissionRequired',
  'seatsFull',
  'sessionEnded',
  'subscriptionCanceled',
  'subscriptionNotFound',
]
/** The server refuses the same call with the same input again. */
const final = new Set<Reason | undefined>([
  'alreadyInvited',
  'alreadyMember',
  'auth/invalid-email',
  'invalidInput',
  'inviteNotFound',
  'inviteNotPending',
  'inviteeBusy',
  'nameNotAllowed',
  'nameOfProduct',
  'userNotFound',
])

export type Line<Item> = {
  name?: string | undefined
  text: string
  /** Missing if there is nothing to call for this line. */
  item?: Item
  state: 'waiting' | 'sending' | 'sent' | 'refused'
  /** The refusal. Lines that were not sent have the refusal that stopped the series. */
  error?: CallError
  /** The idempotency key. A retry keeps it if the first call may have arrived. */
  key: string
}

/** Makes one call for each line, in order, until a refusal that every other call would get. */
export function useSeries<Item>(
  send: (item: Item, idempotencyKey: string) => Promise<unknown>,
  stopsAt: readonly Reason[] = forAll,
) {
  const [lines, setLines] = useState<Line<Item>[]>([])
  const [busy, setBusy] = useState(false)

  /** `width`: how many calls run at a time. Returns the lines as they are in the end. */
  async function run(all: Line<Item>[], width = 1) {
    let known = all
    const change = (key: string, state: Line<Item>['state'], error?: CallError) => {
      known = known.map((line) =>
        line.key === key ? { ...line, state, ...(error && { error }) } : line,
      )
      setLines(known)
    }
    setLines(all)
    setBusy(true)
    const waiting = all.filter(({ state }) => state === 'waiting').values()
    let over: CallError | undefined

    // Several workers take their lines from the same iterator.
    async function work() {
      for (const { key, item } of waiting) {
        if (!over) change(key, 'sending')
        const error = over ?? (await send(item!, key).then(() => undefined, toCallError))
        if (error && stopsAt.includes(error.reason)) over = error
        change(key, error ? 'refused' : 'sent', error)
      }
    }

    await Promise.all(Array.from({ length: width }, work))
    setBusy(false)
    tellOfChange()
    return known
  }

  return {
    lines,
    busy,
    run,
    again: () => run(lines.map((line) => (mayWork(line) ? renewed(line) : line))),
    failed: lines.filter(mayWork),
    sent: lines.filter(({ state }) => state === 'sent').length,
    /** How many calls were made or given up. */
    over: lines.filter(({ state }) => state === 'sent' || state === 'refused').length,
    reset: () => setLines([]),
  }
}

/** A line whose call has not been made. */
export function waitingLine<Item>(line: Pick<Line<Item>, 'name' | 'text' | 'item'>): Line<Item> {
  return { ...line, state: 'waiting', key: newIdempotencyKey() }
}

function mayWork({ state, item, error }: Line<unknown>) {
  return state === 'refused' && item !== undefined && !final.has(error?.reason)
}

function renewed<Item>({ error, ...line }: Line<Item>): Line<Item> {
  const isSame = error !== undefined && mayHaveArrived.has(error.reason)
  return { ...line, state: 'waiting', key: isSame ? line.key : newIdempotencyKey() }
}

const looks = {
  waiting: { tone: 'text-faint', Icon: Clock },
  sending: { tone: 'text-soft', Icon: Turning },
  sent: { tone: 'text-good', Icon: Check },
  refused: { tone: 'text-warn', Icon: X },
}

type SeriesListProps<Item> = {
  lines: Line<Item>[]
  /** Says what became of a line. Missing before the series begins. */
  outcome: ((line: Line<Item>) => ReactNode) | undefined
}

export function SeriesList<Item>({ lines, outcome }: SeriesListProps<Item>) {
  return (
    <ul className="divide-y divide-line rounded-notice border border-line">
      {lines.map((line) => {
        const { tone, Icon } = looks[line.state]
        return (
          <li
            key={line.key}
            className="grid gap-x-4 gap-y-0.5 px-4 py-2.5 sm:flex sm:items-start sm:justify-between"
          >
            <span className="min-w-0">
              {line.name && (
                <span dir="auto" className="block truncate font-strong" title={line.name}>
                  {line.name}
                </span>
              )}
              <span className={classes('block wrap-anywhere', line.name && 'text-small text-soft')}>
                <Address text={line.text} />
              </span>
            </span>
            {outcome && (
              <span
                className={`flex shrink-0 items-center gap-1.5 text-small font-medium sm:max-w-60 sm:text-end ${tone}`}
              >
                <Icon className="size-4 shrink-0" />
                {outcome(line)}
              </span>
            )}
          </li>
        )
      })}
    </ul>
  )
}
