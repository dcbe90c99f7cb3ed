import type { PermissionKey } from '#config/permissions.ts'
import { finalReasons, forAllReasons } from '#contract/flags/refusals.ts'
import { useState } from 'react'
import { call, mayHaveArrived, newIdempotencyKey, tellOfChange } from '../../api/call.ts'
import { CallError } from '../../api/post.ts'
import type { Named } from './parse-people.ts'

export type Line = {
  text: string
  /** Missing if the line has no address. */
  person?: Named
  state: 'waiting' | 'sending' | 'sent' | 'refused'
  /** The refusal; lines that were never sent carry the one that stopped the series. */
  error?: CallError
  /** Stays the same when a retry may repeat a call that arrived. */
  key: string
}

type Wanted = { subscriptionId: string; permissions: PermissionKey[] }

const atOnce = 3

/**
 * Invites people by one call each, in order, until a refusal says that no other call can succeed.
 */
export function useInviteSeveral({ subscriptionId, permissions }: Wanted) {
  const [lines, setLines] = useState<Line[]>([])
  const [busy, setBusy] = useState(false)

  /** If the seats may run out, the calls go one by one, so that the first people get them. */
  const start = (people: Named[], wrong: string[], hasRoom: boolean) =>
    run(
      [
        ...people.map((person): Line => ({
          text: person.email,
          person,
          state: 'waiting',
          key: newIdempotencyKey(),
        })),
        ...wrong.map((text, place): Line => ({ text, state: 'refused', key: `${place}` })),
      ],
      hasRoom ? atOnce : 1,
    )

  const again = () =>
    run(
      lines.map((line): Line => (mayWork(line) ? waiting(line) : line)),
      1,
    )

  async function run(all: Line[], width: number) {
    const change = (key: string, state: Line['state'], error?: CallError) =>
      setLines((lines) =>
        lines.map((line) =>
          line.key === key ? { ...line, state, ...(error && { error }) } : line,
        ),
      )
    setLines(all)
    setBusy(true)
    const waiting = all.filter(({ state }) => state === 'waiting').values()
    let over: CallError | undefined

    // Several workers take their lines from the same iterator.
    async function work() {
      for (const line of waiting) {
        if (!over) change(line.key, 'sending')
        const error = over ?? (await send(line))
        if (error && forAllReasons.includes(error.reason)) over = error
        change(line.key, error ? 'refused' : 'sent', error)
      }
    }

    await Promise.all(Array.from({ length: width }, work))
    setBusy(false)
    tellOfChange()
  }

  async function send({ person, key }: Line) {
    try {
      const input = { subscriptionId, permissions, ...person! }
      await call('createInvite', input, { idempotencyKey: key })
      return undefined
    } catch (error) {
      if (error instanceof CallError) return error
      throw error
    }
  }

  return {
    lines,
    busy,
    start,
    again,
    failed: lines.filter(mayWork).length,
    reset: () => setLines([]),
  }
}

function mayWork({ state, person, error }: Line) {
  return state === 'refused' && person !== undefined && !finalReasons.includes(error?.reason ?? '')
}

function waiting({ error, ...line }: Line): Line {
  const isSame = error !== undefined && mayHaveArrived.has(error.reason)
  return { ...line, state: 'waiting', key: isSame ? line.key : newIdempotencyKey() }
}
