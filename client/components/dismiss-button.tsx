import { X } from 'lucide-react'
import { useT } from '../platform/i18n.ts'
import { Button } from './button.tsx'

type DismissButtonProps = { onDismiss: () => void; className?: string }

/** The cross that removes a message. */
export function DismissButton({ onDismiss, className }: DismissButtonProps) {
  const t = useT()
  return (
    <Button
      variant="quiet"
      size="icon"
      aria-label={t('live.dismiss')}
      title={t('live.dismiss')}
      onClick={onDismiss}
      icon={<X />}
      className={className}
    />
  )
}
