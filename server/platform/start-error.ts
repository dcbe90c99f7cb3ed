/** A problem that the operator can fix. It is shown as one line without a stack. */
export class StartError extends Error {
  override name = 'StartError'
}
