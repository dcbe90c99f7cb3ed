import { useState } from 'react'

/**
 * What is open over the screen, if anything. Each opening is drawn anew, by its `key`: a browser
 * tells a frame later that a dialog was closed, and by then it may have been opened again.
 */
export function useOpening<What>() {
  const [{ opened, key }, set] = useState<{ opened?: What; key: number }>({ key: 0 })
  return {
    opened,
    key,
    open: (opened: What) => set((last) => ({ opened, key: last.key + 1 })),
    /** This opening, and none after it. */
    close: () => set((last) => (last.key === key ? { key } : last)),
  }
}
