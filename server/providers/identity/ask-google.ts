import type { Logger } from 'pino'
import { Refusal } from '../../platform/refusal.ts'

const patience = 10_000

type Question = { headers?: Record<string, string>; body: string | URLSearchParams; log: Logger }

/**
 * One POST, answered in time or refused as `unavailable`. Only the address is logged: headers and bodies carry keys and passwords.
 */
export async function askGoogle(
  url: string,
  { headers, body, log }: Question,
): Promise<{ status: number; body: unknown }> {
  try {
    const signal = AbortSignal.timeout(patience)
    const response = await fetch(url, {
      method: 'POST',
      headers: headers ?? {},
      body,
      redirect: 'error',
      signal,
    })
    return { status: response.status, body: await response.json() }
  } catch (error) {
    log.warn({ url, why: whyOf(error) }, 'the identity provider did not answer')
    throw new Refusal('unavailable')
  }
}

function whyOf(error: unknown) {
  const { name, cause } = error as { name?: string; cause?: { code?: string } }
  return cause?.code ?? name
}
