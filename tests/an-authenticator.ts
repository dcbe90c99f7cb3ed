import { createHmac } from 'node:crypto'
import { cookieHeader, type Answer, type Person, type World } from './world.ts'

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The one-time code of a base32 secret at a time, as RFC 6238 says: not by the server's library. */
export function codeAt(secret: string, time: Date) {
  const bits = Array.from(secret, (digit) =>
    digits.indexOf(digit).toString(2).padStart(5, '0'),
  ).join('')
  const key = Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(time.getTime() / 30_000)))
  const mac = createHmac('sha1', key).update(counter).digest()
  const number = mac.readUInt32BE(mac.at(-1)! & 15) & 0x7fff_ffff
  return String(number % 1_000_000).padStart(6, '0')
}

/**
 * Turns a person's second step on. `code` waits for the next code, which no one has used. `device`:
 * the cookie of the browser that did it.
 */
export async function anAuthenticator(world: World, person: Person) {
  const { enrollmentId, secret = '' } = await person.does('startFactorEnrollment', { type: 'totp' })
  const now = () => world.services.now()
  const first = { enrollmentId, code: codeAt(secret, now()) }
  const { result, headers } = await person.call('finishFactorEnrollment', first)
  const { factor, recoveryCodes } = result!
  const device = cookieHeader(headers.getSetCookie())
  const code = () => {
    world.pass(30_000)
    return codeAt(secret, now())
  }
  return { id: factor.id, secret, recoveryCodes: recoveryCodes!, device, code }
}

/** What the refusal of a first step gives for the second one, and the browser's cookies. */
export function waiting(answer: Pick<Answer<'signIn'>, 'error' | 'headers'>, cookie = '') {
  const details: Record<string, unknown> = answer.error?.details ?? {}
  const cookies = [cookie, cookieHeader(answer.headers.getSetCookie())].filter(Boolean)
  const headers = { cookie: cookies.join('; ') }
  return { resolver: String(details['resolver']), types: details['types'], headers }
}
