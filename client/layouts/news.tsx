import type { MessageKey } from '#locales/keys.ts'
import type { Values } from '#locales/translator.ts'
import { useEffect, useEffectEvent, useState, type ComponentProps } from 'react'
import { useLocation } from 'react-router'
import { Notice } from '../components/notice.tsx'
import { useQuery } from '../components/use-query.ts'
import { useT } from '../platform/i18n.ts'

/**
 * Why somebody was led to another screen, which says it. It travels as `news` in the state of the
 * location.
 */
export type NewsOnTheWay = {
  tone: ComponentProps<typeof Notice>['tone']
  title?: MessageKey
  says: MessageKey
  words?: Values
}

/** What the way here has to say, until it is put away or the screen is left. */
export function News() {
  const t = useT()
  const { pathname, state } = useLocation()
  const [, change] = useQuery()
  const [said, setSaid] = useState<{ at: string; news: NewsOnTheWay }>()
  const arrived = state?.news as NewsOnTheWay | undefined
  if (arrived && said?.news !== arrived) setSaid({ at: pathname, news: arrived })
  if (said && said.at !== pathname && !arrived) setSaid(undefined)

  // Said once: the address stays as it is, and says nothing more when it is loaded again.
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
