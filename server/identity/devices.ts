import { limits } from '#config/limits.ts'
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Visit } from '../core/handle.ts'
import type { Services } from '../core/services.ts'
import type { User } from '../store/users.ts'

/**
 * What a browser keeps of the accounts that have signed in on it: `id.mark.mark…`, a random id and a mark for each account, which only this
 * installation can make. Nothing of it is stored, and what was made up or cut matches no account. A change of credentials makes every device
 * unknown but the one that it is made on.
 */
const shape = new RegExp(String.raw`^[\w-]{22}(\.[\w-]{43}){0,${limits.devices.accounts}}$`)

type Tools = Pick<Services, 'keyedHash'>
type Account = Pick<User, 'id' | 'credentialsVersion'>

/** The id of the visitor's device, if the account has signed in on it before. */
export function findKnownDevice(account: Account, visit: Visit, tools: Tools) {
  const { id, marks } = read(visit)
  const mark = Buffer.from(markOf(id, account, tools))
  return marks.some((held) => timingSafeEqual(Buffer.from(held), mark)) ? id : undefined
}

/** From now on the device is known to the account, for as long as the visit lasts; `rememberDevice` is for later ones. */
export function introduceDevice(account: Account, visit: Visit, tools: Tools) {
  const { id, marks } = read(visit)
  const mark = markOf(id, account, tools)
  visit.device = [
    id,
    ...[...marks.filter((held) => held !== mark), mark].slice(-limits.devices.accounts),
  ].join('.')
  return visit.device
}

export function rememberDevice(account: Account, visit: Visit, tools: Tools) {
  visit.keepDevice(introduceDevice(account, visit, tools))
}

/** Mails the owner that somebody has signed in on a device that is not known to the account; not on each of very many. */
export async function reportNewDevice(user: User, visit: Visit, services: Services) {
  if (findKnownDevice(user, visit, services) !== undefined) return
  if (!(await services.rateLimits.tryConsume('newDeviceNoticesByAccount', user.id))) return
  await services.jobs.add('mailNewDevice', {
    userId: user.id,
    userAgent: visit.userAgent,
    address: visit.address,
  })
}

function read({ device }: Visit): { id: string; marks: string[] } {
  if (device === undefined || !shape.test(device))
    return { id: randomBytes(16).toString('base64url'), marks: [] }
  const [id, ...marks] = device.split('.')
  return { id: id!, marks }
}

function markOf(deviceId: string, { id, credentialsVersion }: Account, { keyedHash }: Tools) {
  return keyedHash('device', `${deviceId} ${id} ${credentialsVersion}`)
}
