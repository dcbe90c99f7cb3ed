import type { usePopup } from '../../api/use-popup.ts'
import { LiveRegion, Message } from '../../components/message.tsx'
import { Problem } from '../../components/problem.tsx'
import { useT } from '../../i18n.ts'

/** What is going on in the provider's window, and what came of it. */
export function PopupState({
  popup,
  className,
}: {
  popup: ReturnType<typeof usePopup>
  className?: string
}) {
  const t = useT()
  return (
    <LiveRegion className={className}>
      {popup.busy && <Message tone="neutral">{t('auth.inPopup')}</Message>}
      {popup.error && <Problem error={popup.error} />}
    </LiveRegion>
  )
}
