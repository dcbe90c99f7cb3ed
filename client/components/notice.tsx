import { X } from 'lucide-react'
import { useEffect, useState, type ComponentProps } from 'react'
import { useT } from '../platform/i18n.ts'
import { Button } from './button.tsx'
import { LiveRegion, Message } from './message.tsx'

type NoticeProps = Pick<ComponentProps<typeof Message>, 'tone' | 'title' | 'children'> & {
  onDismiss: () => void
}

/** A message about something that the user did not do. It stays until the user dismisses it. */
export function Notice({ tone, title, children, onDismiss }: NoticeProps) {
  const t = useT()
  const [isSaid, setSaid] = useState(false)
  // Screen readers announce only what is added to a region that is already on the page.
  useEffect(() => {
    const timer = setTimeout(() => setSaid(true))
    return () => clearTimeout(timer)
  }, [])

  function dismiss() {
    onDismiss()
    document.getElementById('main')?.focus({ preventScroll: true })
  }

  return (
    <LiveRegion>
      {isSaid && (
        <Message
          tone={tone}
          title={title}
          action={
            <Button
              variant="quiet"
              size="icon"
              aria-label={t('live.dismiss')}
              title={t('live.dismiss')}
              onClick={dismiss}
              icon={<X />}
              className="-my-1.5 -me-2 text-current!"
            />
          }
        >
          {children}
        </Message>
      )}
    </LiveRegion>
  )
}
