/** A reason not to start that the operator can fix: shown as one line, without a stack. */
export class StartError extends Error {
  override name = 'StartError'
}

/** Ends the process. What the operator can fix is said in one line. */
export function exitWith(error: unknown) {
  console.error(error instanceof StartError ? error.message : error)
  process.exit(1)
}
