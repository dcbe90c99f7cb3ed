/** Logs an error that the user can do nothing about. */
export function logError(message: string, error?: unknown) {
  // oxlint-disable-next-line no-console -- the only place that logs
  console.error(message, error)
}
