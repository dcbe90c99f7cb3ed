import type { PermissionKey } from '#config/permissions.ts'
import type { MessageKey } from '#locales/keys.ts'
import { limits } from '#config/limits.ts'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { call } from '../../api/call.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { FormActions } from '../../components/call-form.tsx'
import {
  LiveProblem,
  LiveRegion,
  Message,
  problemText,
  Problem,
} from '../../components/message.tsx'
import { SeriesList, useSeries, waitingLine, type Line } from '../../components/series.tsx'
import { useT, type Translate } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { SeatsLeft, useSeats } from '../members/seats.tsx'
import { useInviteLink } from '../members/use-invite-link.tsx'
import type { Named } from './parse-people.ts'

type InviteResultsProps = ReturnType<typeof useInviteSeveral> & {
  /** How many people the list still has, because no seat was left for them. */
  rest: number
  onAnew: () => void
}

export function InviteResults({ onAnew, rest, ...series }: InviteResultsProps) {
  const t = useT()
  const { pathTo } = useProject()
  const { lines, busy, failed, again, unmailed } = series
  const region = useRef<HTMLElement>(null)
  const [dialog, setDialog] = useState<ReactNode>()
  const link = useInviteLink({ show: setDialog })
  useEffect(toTop, [])

  function tryAgain() {
    toTop()
    void again()
  }

  function outcome(line: Line<Named>) {
    const id = unmailed.get(line.key)
    if (id === undefined) return outcomeText(line, t)
    const copy = () => link.copy({ id, email: line.text, expires: expiryOfNew() })
    return (
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-soft sm:justify-end">
        {t('users.several.outcomes.unmailed')}
        <Button busy={link.busy} onClick={() => void copy()}>
          {t('users.link.copy')}
          <span className="sr-only">{line.text}</span>
        </Button>
      </span>
    )
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
      className="grid grid-cols-1 gap-4 outline-none"
    >
      <LiveRegion>
        <Summary {...series} rest={rest} />
      </LiveRegion>
      <LiveProblem error={link.error} failed="users.link.failed" />
      <SeriesList lines={lines} outcome={outcome} />
      <FormActions>
        {failed.length > 0 && !busy && (
          <Button size="large" onClick={tryAgain}>
            {t('users.several.again', { count: failed.length })}
          </Button>
        )}
        {!busy && (
          <Button size="large" onClick={onAnew}>
            {t(rest > 0 ? 'users.several.toRest' : 'users.several.more')}
          </Button>
        )}
        <ButtonLink to={pathTo('users')} variant="primary" size="large" disabled={busy}>
          {t('users.several.back')}
        </ButtonLink>
      </FormActions>
      {dialog}
    </section>
  )
}

function Summary(series: Omit<InviteResultsProps, 'onAnew'>) {
  const { lines, busy, sent, over, unmailed, rest } = series
  const t = useT()
  const { seats, free } = useSeats()
  const count = lines.length
  if (busy)
    return <Message tone="neutral">{t('users.several.sending', { done: over, count })}</Message>
  const mailed = sent - unmailed.size
  const isAll = mailed === count
  const lacksSeats = rest > 0 || lines.some(({ error }) => error?.reason === 'seatsFull')
  return (
    <div className="grid gap-3">
      <Message tone={isAll ? 'good' : 'warn'}>
        {t(isAll ? 'users.several.allSent' : 'users.several.someSent', { sent: mailed, count })}
      </Message>
      {unmailed.size > 0 && (
        <Message tone="neutral">{t('users.several.unmailed', { count: unmailed.size })}</Message>
      )}
      {rest > 0 && <Message tone="neutral">{t('users.several.rest', { count: rest })}</Message>}
      {lacksSeats && seats && <SeatsLeft seats={seats} free={free!} />}
    </div>
  )
}

const outcomes: Partial<Record<string, MessageKey>> = {
  alreadyInvited: 'users.several.outcomes.invited',
  alreadyMember: 'users.several.outcomes.member',
  seatsFull: 'users.several.outcomes.full',
  'auth/invalid-email': 'users.several.outcomes.wrong',
  invalidInput: 'users.several.outcomes.wrong',
}

function outcomeText({ state, item, error }: Line<Named>, t: Translate) {
  if (state !== 'refused') return t(`users.several.outcomes.${state}`)
  if (!item) return t('users.several.outcomes.wrong')
  if (!error) return t('users.several.outcomes.notSent')
  const outcome = outcomes[error.reason]
  return outcome ? t(outcome) : problemText(error, t)
}

const atOnce = 3

/** Invites each person of a list by one call. */
export function useInviteSeveral(subscriptionId: string, permissions: PermissionKey[]) {
  /** The ids of invitations that could not be mailed, by the keys of their lines. */
  const [unmailed, setUnmailed] = useState<ReadonlyMap<string, string>>(new Map())
  const series = useSeries<Named>(async (person, idempotencyKey) => {
    const input = { subscriptionId, permissions, ...person }
    const { inviteId, mailed } = await call('createInvite', input, { idempotencyKey })
    if (mailed === false) setUnmailed((known) => new Map(known).set(idempotencyKey, inviteId))
  })

  /** Unless there `isRoom` for all, calls run one by one: the first people get the last seats. */
  const start = (people: Named[], wrong: string[], isRoom: boolean) =>
    series.run(
      [
        ...people.map((item) => waitingLine({ name: item.name, text: item.email, item })),
        ...wrong.map((text, place): Line<Named> => ({ text, state: 'refused', key: `${place}` })),
      ],
      isRoom ? atOnce : 1,
    )

  function reset() {
    setUnmailed(new Map())
    series.reset()
  }

  return { ...series, unmailed, start, reset }
}

/** Offers the link of a new invitation that could not be mailed. */
export function UnmailedInvite({ id, email }: { id: string; email: string }) {
  const t = useT()
  const { pathTo } = useProject()
  const [expires] = useState(expiryOfNew)
  const [dialog, setDialog] = useState<ReactNode>()
  const link = useInviteLink({ show: setDialog })
  return (
    <section
      ref={focus}
      tabIndex={-1}
      aria-label={t('users.unmailed.title')}
      className="grid grid-cols-1 gap-4 outline-none"
    >
      <Message tone="warn" title={t('users.unmailed.title')}>
        {t('users.unmailed.text', { email })}
      </Message>
      <Problem error={link.error} failed="users.link.failed" />
      <FormActions>
        <ButtonLink to={pathTo('users')} size="large">
          {t('users.several.back')}
        </ButtonLink>
        <Button
          variant="primary"
          size="large"
          busy={link.busy}
          onClick={() => void link.copy({ id, email, expires })}
        >
          {t('users.link.action')}
        </Button>
      </FormActions>
      {dialog}
    </section>
  )
}

/** Until when an invitation is valid that has just been made, in seconds. */
function expiryOfNew() {
  return (Date.now() + limits.invites.live) / 1000
}

/** The form with the focus is gone, and a screen reader reads what is there instead. */
function focus(section: HTMLElement | null) {
  section?.focus()
}
