import { useEffect, useRef } from 'react'
import { Message } from '../../components/message.tsx'
import { useT } from '../../i18n.ts'

/** Takes the place of what was owed, and the focus, which was on a button that is gone. */
export function Paid() {
  const t = useT()
  const message = useRef<HTMLDivElement>(null)
  useEffect(() => message.current?.focus(), [])
  return (
    <div ref={message} tabIndex={-1} className="outline-none">
      <Message tone="good">{t('billing.overdue.done')}</Message>
    </div>
  )
}
