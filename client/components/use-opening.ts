import { useState } from 'react'

/**
 * What is open over the screen. Each opening has a new `key`, because a browser reports a closed
 * dialog a frame later, when the next one may be open.
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
