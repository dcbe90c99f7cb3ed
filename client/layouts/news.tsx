import type { MessageKey } from '#locales/keys.ts'
import type { Values } from '#locales/translator.ts'
import { useEffect, useEffectEvent, useState, type ComponentProps } from 'react'
import { useLocation } from 'react-router'
import { Notice } from '../components/notice.tsx'
import { useQuery } from '../components/use-query.ts'
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
