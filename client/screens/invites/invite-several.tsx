import type { PermissionKey } from '#config/permissions.ts'
import { finalReasons, forAllReasons } from '#contract/flags/refusals.ts'
import type { MessageKey } from '#locales/keys.ts'
import { Check, Clock, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { call, mayHaveArrived, newIdempotencyKey, tellOfChange } from '../../api/call.ts'
import { CallError } from '../../api/post.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { FormActions } from '../../components/call-form.tsx'
import { LiveRegion, Message, problemText } from '../../components/message.tsx'
import { Turning } from '../../components/spinner.tsx'
import { useT, type Translate } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import type { Named } from './parse-people.ts'

type InviteResultsProps = ReturnType<typeof useInviteSeveral> & { onAnew: () => void }

export function InviteResults({ lines, busy, failed, again, onAnew }: InviteResultsProps) {
  const t = useT()
  const { pathTo } = useProject()
  const region = useRef<HTMLElement>(null)
  useEffect(toTop, [])

  function tryAgain() {
    toTop()
    void again()
  }

  function toTop() {
    region.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }

  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label={t('users.several.results')}
      className="grid gap-4 outline-none"
    >
      <LiveRegion>
        <Summary lines={lines} busy={busy} />
      </LiveRegion>
      <ul className="divide-y divide-line rounded-notice border border-line">
        {lines.map((line) => (
          <li
            key={line.key}
            className="grid gap-x-4 gap-y-0.5 px-4 py-2.5 sm:flex sm:items-start sm:justify-between"
          >
            <span className="min-w-0 wrap-anywhere">
              {line.person?.name && <span className="block font-strong">{line.person.name}</span>}
              <span className={line.person?.name ? 'block text-small text-soft' : 'block'}>
                {line.text}
              </span>
            </span>
            <Outcome {...line} />
          </li>
        ))}
      </ul>
      <FormActions>
        {failed > 0 && !busy && (
          <Button size="large" onClick={tryAgain}>
            {t('users.several.again', { count: failed })}
          </Button>
        )}
        {!busy && (
          <Button size="large" onClick={onAnew}>
            {t('users.several.more')}
          </Button>
        )}
        <ButtonLink to={pathTo('users')} variant="primary" size="large" disabled={busy}>
          {t('users.several.back')}
        </ButtonLink>
      </FormActions>
    </section>
  )
}

function Summary({ lines, busy }: { lines: Line[]; busy: boolean }) {
  const t = useT()
  const count = lines.length
  const sent = lines.filter(({ state }) => state === 'sent').length
  if (busy) {
    const done = lines.filter(({ state }) => state === 'sent' || state === 'refused').length
    return <Message tone="neutral">{t('users.several.sending', { done, count })}</Message>
  }
  if (sent === count) return <Message tone="good">{t('users.several.allSent', { count })}</Message>
  const isFull = lines.some(({ error }) => error?.reason === 'seatsFull')
  return (
    <Message tone="warn" title={t('users.several.someSent', { sent, count })}>
      {isFull && t('users.several.seatsFull')}
    </Message>
  )
}

const looks = {
  waiting: { tone: 'text-faint', Icon: Clock },
  sending: { tone: 'text-soft', Icon: Turning },
  sent: { tone: 'text-good', Icon: Check },
  refused: { tone: 'text-warn', Icon: X },
}

function Outcome(line: Line) {
  const t = useT()
  const { tone, Icon } = looks[line.state]
  return (
    <span
      className={`flex shrink-0 items-center gap-1.5 text-small font-medium sm:max-w-60 sm:text-end ${tone}`}
    >
      <Icon className="size-4 shrink-0" />
      {outcomeText(line, t)}
    </span>
  )
}

const outcomes: Partial<Record<string, MessageKey>> = {
  alreadyInvited: 'users.several.outcomes.invited',
  alreadyMember: 'users.several.outcomes.member',
  seatsFull: 'users.several.outcomes.full',
  'auth/invalid-email': 'users.several.outcomes.wrong',
  invalidInput: 'users.several.outcomes.wrong',
}

function outcomeText({ state, person, error }: Line, t: Translate) {
  if (state !== 'refused') return t(`users.several.outcomes.${state}`)
  if (!person) return t('users.several.outcomes.wrong')
  if (!error) return t('users.several.outcomes.notSent')
  const outcome = outcomes[error.reason]
  return outcome ? t(outcome) : problemText(error, t)
}

type Line = {
  text: string
  /** Missing if the line has no email address. */
  person?: Named
  state: 'waiting' | 'sending' | 'sent' | 'refused'
  /** The refusal. Lines that were not sent have the refusal that stopped the series. */
  error?: CallError
  /** The idempotency key. A retry keeps it if the first call may have arrived. */
  key: string
}

const atOnce = 3

/** Invites each person by one call, in order, until a refusal that every other call would get. */
export function useInviteSeveral(subscriptionId: string, permissions: PermissionKey[]) {
  const [lines, setLines] = useState<Line[]>([])
  const [busy, setBusy] = useState(false)

  /** Without `hasRoom`, the calls run one by one, so that the first people get the last seats. */
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
