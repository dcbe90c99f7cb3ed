/** Focuses the main area, because what had the focus is gone. */
export function focusMain() {
  document.getElementById('main')?.focus({ preventScroll: true })
}
