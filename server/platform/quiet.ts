/** Milliseconds between two lines in the log about the same trouble. */
const silence = 60_000

/** Returns false when asked first and then once a minute: so often, a trouble is logged. */
export function openQuiet() {
  let until = 0
  return () => {
    const now = performance.now()
    if (now < until) return true
    until = now + silence
    return false
  }
}
