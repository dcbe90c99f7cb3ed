import { useEffect, useEffectEvent } from 'react'

/**
 * Whether an input method takes the key, as Enter to finish a Chinese, Japanese or Korean word. Such
 * a key is never a command. In Safari the last one comes after the composition, with this code.
 */
export function isOfInputMethod({ isComposing, keyCode }: KeyboardEvent) {
  return isComposing || keyCode === 229
}

/** Calls `press` for every key that the user presses, wherever the focus is. */
export function useKeydown(press: (event: KeyboardEvent) => void) {
  const hear = useEffectEvent(press)
  useEffect(() => {
    const listen = (event: KeyboardEvent) => !isOfInputMethod(event) && hear(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
