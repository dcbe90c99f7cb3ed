/** For what nobody on the screen can do anything about. */
export function logError(message: string, error?: unknown) {
  // oxlint-disable-next-line no-console -- the one place
  console.error(message, error)
}
