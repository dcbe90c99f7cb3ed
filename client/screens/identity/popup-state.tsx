import type { usePopup } from '../../api/use-popup.ts'
import { LiveRegion, Message } from '../../components/message.tsx'
import { Problem } from '../../components/problem.tsx'
import { useT } from '../../i18n.ts'

type PopupStateProps = { popup: ReturnType<typeof usePopup>; className?: string }

/** Says what the provider's window is doing, and how it ended. */
export function PopupState({ popup, className }: PopupStateProps) {
  const t = useT()
  return (
    <LiveRegion className={className}>
      {popup.busy && <Message tone="neutral">{t('auth.inPopup')}</Message>}
      {popup.error && <Problem error={popup.error} />}
    </LiveRegion>
  )
}
