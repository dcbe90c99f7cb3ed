import { isIP } from 'node:net'
import type { Logger } from 'pino'
import { StartError } from '../platform/start-error.ts'
import type { Store } from '../store/store.ts'

/** The domain for which passkeys are made here, and the origin of the app. */
export type PasskeyPlace = { rpId: string; origin: string }

/**
 * Undefined where browsers make no passkeys: behind an address without https, or an IP. `rpId`:
 * PASSKEY_RP_ID. A former host, for which there are passkeys, may serve docs/operations.md's file.
 */
export async function findPasskeyPlace(
  { publicUrl, rpId: chosen }: { publicUrl: string; rpId: string | undefined },
  { store, log }: { store: Store; log: Logger },
): Promise<PasskeyPlace | undefined> {
  const { hostname, protocol, origin } = new URL(publicUrl)
  const isLocal = hostname === 'localhost'
  if ((protocol !== 'https:' && !isLocal) || isIP(hostname.replaceAll(/[[\]]/g, '')))
    return undefined
  const rpId = chosen ?? hostname
  const { own, others } = await store.factors.countPasskeys(rpId)
  const isAbove = hostname === rpId || (rpId.includes('.') && hostname.endsWith(`.${rpId}`))
  if (!isAbove && own === 0)
    throw new StartError(
      `PASSKEY_RP_ID=${rpId} is refused: it must be ${hostname}, the host of PUBLIC_URL, or a domain above it.`,
    )
  if (others > 0)
    log.warn(
      { rpId, others },
      'some passkeys were made for another domain and do not work here: see PASSKEY_RP_ID in docs/operations.md',
    )
  return { rpId, origin }
}
