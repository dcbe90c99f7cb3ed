import { isIP } from 'node:net'

/** Names below .localhost lead nowhere else either (RFC 6761). */
export function isLoopback(host: string) {
  return (
    /^(.+\.)?localhost$/.test(host) ||
    host === '::1' ||
    host === '[::1]' ||
    (isIP(host) === 4 && host.startsWith('127.'))
  )
}
