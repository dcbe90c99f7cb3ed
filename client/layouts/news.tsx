import type { MessageKey } from '#locales/keys.ts'
import type { Values } from '#locales/translator.ts'
import { paths } from '#contract/paths.ts'
import { useEffect, useEffectEvent, useState, type ComponentProps } from 'react'
import { useLocation, Navigate } from 'react-router'
import { DismissButton } from '../components/dismiss-button.tsx'
import { LiveRegion, Message } from '../components/message.tsx'
import { useQuery } from '../components/use-query.ts'
import { focusMain } from '../platform/focus-main.ts'
import { useT } from '../platform/i18n.ts'

/** A message that explains a redirect. The router's state carries it to the next screen. */
export type NewsOnTheWay = {
  tone: ComponentProps<typeof Notice>['tone']
  title?: MessageKey
  says: MessageKey
  words?: Values
}

/** Shows the message of the redirect to this screen, until the user dismisses it or leaves. */
export function News() {
  const t = useT()
  const { pathname, state } = useLocation()
  const [, change] = useQuery()
  const [said, setSaid] = useState<{ at: string; news: NewsOnTheWay }>()
  const arrived = state?.news as NewsOnTheWay | undefined
  if (arrived && said?.news !== arrived) setSaid({ at: pathname, news: arrived })
  if (said && said.at !== pathname && !arrived) setSaid(undefined)

  // Removes the message from the location state, so that a reload doesn't show it again.
  const clear = useEffectEvent(() => change(() => {}))
  useEffect(() => {
    if (arrived) clear()
  }, [arrived])

  if (!said) return null
  const { tone, title, says, words } = said.news
  return (
    <Notice tone={tone} title={title && t(title)} onDismiss={() => setSaid(undefined)}>
      {t(says, words)}
    </Notice>
  )
}

type NoticeProps = Pick<ComponentProps<typeof Message>, 'tone' | 'title' | 'children'> & {
  onDismiss: () => void
}

/** A message about something that the user did not do. It stays until the user dismisses it. */
export function Notice({ tone, title, children, onDismiss }: NoticeProps) {
  const [isSaid, setSaid] = useState(false)
  // Screen readers announce only what is added to a region that is already on the page.
  useEffect(() => {
    const timer = setTimeout(() => setSaid(true))
    return () => clearTimeout(timer)
  }, [])

  function dismiss() {
    onDismiss()
    focusMain()
  }

  return (
    <LiveRegion>
      {isSaid && (
        <Message
          tone={tone}
          title={title}
          action={<DismissButton onDismiss={dismiss} className="-my-1.5 -me-2 text-current!" />}
        >
          {children}
        </Message>
      )}
    </LiveRegion>
  )
}

/** Redirects to another screen, which shows `news` as the reason. */
export function LeadAway({ to = paths.dashboard, news }: { to?: string; news: NewsOnTheWay }) {
  return <Navigate to={to} state={{ news }} replace />
}
