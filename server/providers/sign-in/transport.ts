import { allowInsecureRequests, type Configuration } from 'openid-client'
import { isLoopback } from '../../platform/networks.ts'

/** Whether secrets may be sent there: over TLS, or without leaving this machine. */
export function isSafe(address: string) {
  if (!URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

/** What the library has to be told to speak to such an address. */
export function transportTo(address: string): ((config: Configuration) => void)[] {
  if (!isSafe(address)) throw new Error(`${address} is not an address to send secrets to`)
  return new URL(address).protocol === 'http:' ? [allowInsecureRequests] : []
}
