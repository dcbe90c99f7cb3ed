import { useState } from 'react'
import { toCallError, type CallError } from '../api/post.ts'

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
