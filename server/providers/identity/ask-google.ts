import type { Logger } from 'pino'
import { Refusal } from '../../platform/refusal.ts'

const patience = 10_000

type Question = { headers?: Record<string, string>; body: string | URLSearchParams; log: Logger }

/**
 * One POST, refused as `unavailable` if no answer comes in time. Logs only the address: headers and
 * bodies carry keys and passwords.
 */
export async function askGoogle(
  url: string,
  { headers, body, log }: Question,
): Promise<{ status: number; body: unknown }> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: headers ?? {},
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(patience),
    })
    return { status: response.status, body: await response.json() }
  } catch (error) {
    const { name, cause } = error as { name?: string; cause?: { code?: string } }
    log.warn({ url, why: cause?.code ?? name }, 'the identity provider did not answer')
    throw new Refusal('unavailable')
  }
}
