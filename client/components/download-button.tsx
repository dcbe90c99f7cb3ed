import { Download } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import { Button } from './button.tsx'
import { toCallError, type CallError } from '../api/post.ts'

type DownloadButtonProps = ComponentProps<typeof Button> & { format: 'csv' | 'json'; label: string }

/** Shows only the format, which is short in every language. The label is its hint and its name. */
export function DownloadButton({ format, label, ...rest }: DownloadButtonProps) {
  return (
    <Button icon={<Download />} aria-label={label} title={label} {...rest}>
      {format.toUpperCase()}
    </Button>
  )
}

/** Runs what makes a file, one press at a time, and keeps why it could not. */
export function useDownload(make: () => Promise<void>) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<CallError>()

  async function download() {
    setBusy(true)
    setError(undefined)
    try {
      await make()
    } catch (error) {
      setError(toCallError(error))
    } finally {
      setBusy(false)
    }
  }

  return { busy, error, download }
}
