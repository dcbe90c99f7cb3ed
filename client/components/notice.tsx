import { X } from 'lucide-react'
import { useEffect, useState, type ComponentProps } from 'react'
import { useT } from '../i18n.ts'
import { Button } from './button.tsx'
import { LiveRegion, Message } from './message.tsx'

type NoticeProps = Pick<ComponentProps<typeof Message>, 'tone' | 'title' | 'children'> & {
  onDismiss: () => void
}

/** Something that happened without the reader's doing: there until they put it away, and read out although it came with the screen. */
export function Notice({ tone, title, children, onDismiss }: NoticeProps) {
  const t = useT()
  const [isSaid, setSaid] = useState(false)
  // Only what comes into a region that is there is read out.
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
