import { Download } from 'lucide-react'
import { Button } from './button.tsx'

type DownloadButtonProps = {
  format: 'csv' | 'json'
  label: string
  busy: boolean
  onClick: () => void
}

/** Shows only the format, which is short in every language. The label is its hint and its name. */
export function DownloadButton({ format, label, busy, onClick }: DownloadButtonProps) {
  return (
    <Button icon={<Download />} aria-label={label} title={label} busy={busy} onClick={onClick}>
      {format.toUpperCase()}
    </Button>
  )
}
