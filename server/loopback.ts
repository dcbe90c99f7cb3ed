import { isIP } from 'node:net'

export function isLoopback(host: string) {
  return host === 'localhost' || host === '::1' || host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'))
}
