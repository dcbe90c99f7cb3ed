import { limits } from '#config/limits.ts'
import { randomBytes } from 'node:crypto'
import type { Try } from '../core/rate-limits.ts'
import type { Services, Visit } from '../core/services.ts'
import { after, seconds } from '../platform/time.ts'
import type { User } from '../store/users.ts'

/**
 * The device cookie holds `id.mark.mark…`: a random id, and a mark for each account that has signed
 * in there. A mark signs the id, the account and the version of its credentials, so nobody can
 * forge one, and changed credentials make those on other devices invalid. An account that is not
 * asked for its second step there has another mark, `end~mark`, which signs its end too.
 */
const mostMarks = 2 * limits.devices.accounts
const shape = new RegExp(String.raw`^[\w-]{22}(\.(\d{10}~)?[\w-]{43}){0,${mostMarks}}$`)

type Account = Pick<User, 'id' | 'credentialsVersion'>

/** The id of the visitor's device if the account has signed in on it before. */
export function findKnownDevice(account: Account, visit: Visit, services: Services) {
  const { id, marks } = read(visit)
  const known = id !== undefined && marks.some((held) => isMark(held, id, account, services))
  return known ? id : undefined
}

/** Adds the account's mark to `visit.device`: the rest of this request knows the device. */
export function introduceDevice(account: Account, visit: Visit, services: Services) {
  const { id = randomBytes(16).toString('base64url'), marks } = read(visit)
  const mark = services.secrets.sign('device', signedBy(id, account))
  const others = marks.filter((held) => !isMark(held, id, account, services))
  visit.device = written(id, [...others, mark])
}

/** Whether the account's user has said here that this browser is not asked for the second step. */
export function isRememberedBrowser(account: Account, visit: Visit, services: Services) {
  const { id = '', marks } = read(visit)
  return marks.some((held) => isLeave(held, id, account, services))
}

/** Adds the account's leave to skip the second step. */
function rememberBrowser(account: Account, visit: Visit, services: Services) {
  const { id = '', marks } = read(visit)
  const end = String(seconds(after(services.now(), limits.factors.browserRemembered)))
  const mark = services.secrets.sign('remembered browser', `${signedBy(id, account)} ${end}`)
  const others = marks.filter((held) => !isLeave(held, id, account, services))
  visit.device = written(id, [...others, `${end}~${mark}`])
}

/** Adds the account's mark to the device cookie: later requests treat the device as known. */
export function rememberDevice(
  account: Account,
  visit: Visit,
  services: Services,
  { forSecondStep = false } = {},
) {
  introduceDevice(account, visit, services)
  if (forSecondStep) rememberBrowser(account, visit, services)
  visit.keepDevice(visit.device!)
}

/**
 * Keeps a known device known after the account's credentials were renewed. A session alone makes no
 * device known, or a thief with one would have as many tries as devices.
 */
export function keepKnownDevice(renewed: Account, visit: Visit, services: Services) {
  const former = { ...renewed, credentialsVersion: renewed.credentialsVersion - 1 }
  if (findKnownDevice(former, visit, services) !== undefined)
    rememberDevice(renewed, visit, services)
}

/** Mails the user about a sign-in on a device that is new to the account, within a rate limit. */
export async function reportNewDevice(user: User, visit: Visit, services: Services) {
  if (findKnownDevice(user, visit, services) !== undefined) return
  const { userAgent, address } = visit
  const limit: Try = ['newDeviceNoticesByAccount', user.id]
  await services.jobs.addWithin(limit, 'mailNewDevice', { userId: user.id, userAgent, address })
}

function read({ device }: Visit): { id?: string | undefined; marks: string[] } {
  const [id, ...marks] = device !== undefined && shape.test(device) ? device.split('.') : []
  return { id, marks }
}

/** With the newest marks of each kind. */
function written(id: string, marks: string[]) {
  const isOfStep = (mark: string) => mark.includes('~')
  const known = marks.filter((mark) => !isOfStep(mark)).slice(-limits.devices.accounts)
  const leaves = marks.filter(isOfStep).slice(-limits.devices.accounts)
  return [id, ...known, ...leaves].join('.')
}

function isMark(held: string, deviceId: string, account: Account, { secrets }: Services) {
  return secrets.isSigned('device', signedBy(deviceId, account), held)
}

function isLeave(held: string, deviceId: string, account: Account, { secrets, now }: Services) {
  const [end, mark] = held.split('~')
  if (mark === undefined || Number(end) <= seconds(now())) return false
  return secrets.isSigned('remembered browser', `${signedBy(deviceId, account)} ${end}`, mark)
}

function signedBy(deviceId: string, { id, credentialsVersion }: Account) {
  return `${deviceId} ${id} ${credentialsVersion}`
}
