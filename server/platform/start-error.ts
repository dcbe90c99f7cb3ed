/** A reason not to start that whoever started the server can act on. Its message is one plain line; no stack is worth showing. */
export class StartError extends Error {
  override name = 'StartError'
}
