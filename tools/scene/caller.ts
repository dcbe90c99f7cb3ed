import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'

export type Caller = ReturnType<typeof callerOf>

/** Makes calls to a server, with the token of a session or without. A refusal throws. */
export function callerOf(url: string, token?: string) {
  return async function call<Name extends CallName>(
    name: Name,
    data: CallInput<Name>,
  ): Promise<CallOutput<Name>> {
    const headers = {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    }
    const answer = await fetch(`${url}/api/${name}`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ data }),
    })
    const body = (await answer.json()) as { result?: CallOutput<Name>; error?: unknown }
    if (body.result === undefined)
      throw new Error(`${name} was refused: ${JSON.stringify(body.error)}`)
    return body.result
  }
}
