import { Resolver } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { isLoopback } from '../../server/platform/networks.ts'

// https://www.iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry
const special4 = listOf(`0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12
  192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24
  224.0.0.0/3`)
const global6 = listOf('2000::/3')
/** Besides the mapped, translated and local ones, which are not in 2000::/3. */
const special6 = listOf('2001::/23 2001:db8::/32 2002::/16 3fff::/20')

// The system's own lookup has few threads, which slow name servers would hold.
const resolver = new Resolver({ timeout: 2000, tries: 2 })

export const notAllowed = 'ADDRESS_NOT_ALLOWED'

/** Where a webhook leads. `allowPrivate`: it may lead to this machine, and by http. */
export type Target = { url: URL; allowPrivate: boolean }

/** Undefined if the URL is malformed or of a forbidden form. Its address is not looked up. */
export function targetOf(text: string, allowPrivate: boolean): Target | undefined {
  const url = URL.parse(text)
  if (!url || url.username + url.password !== '') return undefined
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) return undefined
  const target = { url, allowPrivate }
  const host = hostOf(url)
  return isIP(host) === 0 || mayReach(host, target) ? target : undefined
}

/** Whether a name leads to forbidden addresses now. One that leads nowhere may be set up later. */
export async function isForbidden(target: Target) {
  const found = await find(hostOf(target.url))
  return found.some(({ address }) => !mayReach(address, target))
}

/**
 * Finds the addresses to connect to, and refuses those that are not allowed: a name may lead elsewhere
 * at each delivery. Node asks it for names only.
 */
export function lookupFor(target: Target): LookupFunction {
  type Answer = Parameters<LookupFunction>[2]

  async function look(name: string, all: boolean, answer: Answer) {
    const found = await find(name)
    const isAllowed = found.every(({ address }) => mayReach(address, target))
    const code = isAllowed ? found.length === 0 && 'ENOTFOUND' : notAllowed
    if (code) answer(Object.assign(new Error(code), { code }), [])
    else if (all) answer(null, found)
    else answer(null, found[0]!.address, found[0]!.family)
  }

  return (name, { all = false }, answer) => void look(name, all, answer)
}

async function find(name: string) {
  if (isLoopback(name)) return [{ address: '127.0.0.1', family: 4 }]
  const none = (): string[] => []
  const [four, six] = await Promise.all([
    resolver.resolve4(name).catch(none),
    resolver.resolve6(name).catch(none),
  ])
  return [...four, ...six].map((address) => ({ address, family: isIP(address) }))
}

function mayReach(address: string, { url, allowPrivate }: Target) {
  if (isLoopback(address)) return allowPrivate
  if (url.protocol === 'http:') return false
  if (isIP(address) === 4) return !special4.check(address)
  return global6.check(address, 'ipv6') && !special6.check(address, 'ipv6')
}

/** Without the brackets of an address, or the dot that may end a name. */
function hostOf({ hostname }: URL) {
  return hostname.replaceAll(/^\[|\]$|\.$/g, '')
}

function listOf(networks: string) {
  const list = new BlockList()
  for (const network of networks.split(/\s+/)) {
    const [address, prefix] = network.split('/') as [string, string]
    list.addSubnet(address, Number(prefix), isIP(address) === 4 ? 'ipv4' : 'ipv6')
  }
  return list
}
