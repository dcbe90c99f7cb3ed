import { BlockList, isIP } from 'node:net'

/** The number or the networks of the proxies whose entries in X-Forwarded-For are trusted. */
export type TrustedProxies = number | BlockList

/** Parses `2`, `true`, `false` or `10.0.0.0/8,192.168.1.7`. Undefined for any other text. */
export function parseTrustedProxies(value: string): TrustedProxies | undefined {
  if (/^\d{1,2}$/.test(value)) return Number(value)
  if (value === 'true' || value === 'false') return value === 'true' ? 1 : 0
  const networks = new BlockList()
  return value.split(',').every((network) => addTo(networks, network.trim())) ? networks : undefined
}

/** Entries left of the trusted proxies' in X-Forwarded-For may be the visitor's invention. */
export function visitorAddress(
  connection: string | undefined,
  forwarded: string | undefined,
  trusted: TrustedProxies,
) {
  const own = parseAddress(connection) ?? 'unknown'
  const entries = forwarded === undefined ? [] : forwarded.split(',')
  if (typeof trusted === 'number') return (trusted > 0 && parseAddress(entries.at(-trusted))) || own
  let visitor: string | undefined = own
  while (visitor && entries.length > 0 && contains(trusted, visitor))
    visitor = parseAddress(entries.pop())
  return visitor ?? own
}

/** If only the number of proxies is known, any address may be one. */
export function isProxy(address: string, trusted: TrustedProxies) {
  return typeof trusted === 'number' ? trusted > 0 : contains(trusted, address)
}

/** The network that rate limits count by. One visitor with IPv6 has a whole /64. */
export function networkOf(address: string) {
  return networksOf(address)[0]
}

/** The network, and with IPv6 the /56 and the /48 around it, which one visitor may have too. */
export function networksOf(address: string): [string] | [string, string, string] {
  if (isIP(address) !== 6) return [address]
  const [start = [], end = []] = address
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':')))
  const zeros = Array<string>(8 - start.length - end.length).fill('0')
  const [first, second, third, fourth] = [...start, ...zeros, ...end]
  const site = `${first}:${second}:${third}`
  const half = (Number.parseInt(fourth!, 16) & 0xff00).toString(16)
  return [`${site}:${fourth}::/64`, `${site}:${half}::/56`, `${site}::/48`]
}

/** The address in canonical form, without a port. Undefined if the text is malformed. */
export function parseAddress(text = '') {
  const bare = text
    .trim()
    .replace(/^\[([^\]]*)\](:\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
  if (isIP(bare) !== 6) return isIP(bare) === 4 ? bare : undefined
  const { hostname } = new URL(`http://[${bare.split('%')[0]}]`)
  const [, high, low] = /^\[::ffff:([\da-f]+):([\da-f]+)\]$/.exec(hostname) ?? []
  if (high === undefined || low === undefined) return hostname.slice(1, -1)
  return [high, low]
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join('.')
}

function addTo(networks: BlockList, network: string) {
  const [address = '', length, ...more] = network.split('/')
  const bits = isIP(address) === 4 ? 32 : 128
  const prefix =
    length === undefined ? bits : /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN
  if (isIP(address) === 0 || more.length > 0 || !(prefix <= bits)) return false
  networks.addSubnet(address, prefix, familyOf(address))
  return true
}

function contains(networks: BlockList, address: string) {
  return isIP(address) !== 0 && networks.check(address, familyOf(address))
}

function familyOf(address: string) {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6'
}

/** Whether a host is this machine. Names that end in .localhost are (RFC 6761). */
export function isLoopback(host: string) {
  return (
    /^(.+\.)?localhost$/.test(host) ||
    host === '::1' ||
    host === '[::1]' ||
    (isIP(host) === 4 && host.startsWith('127.'))
  )
}
