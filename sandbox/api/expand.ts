import { couponNow, promotionCodeNow } from '../objects/coupon.ts'
import { linksTo } from '../objects/links.ts'
import type { List, Stored } from '../objects/wire.ts'
import { findObject } from '../store/objects.ts'
import type { Tx } from '../store/tx.ts'
import { expandLevels } from '../rules/limits.ts'
import { invalid } from '../rules/errors.ts'
import { bringOut, shown } from './shown.ts'

type Node = Record<string, unknown>

const expandable = new Set(
  `charge coupon customer default_payment_method default_price discount discounts invoice latest_charge
  latest_invoice payment_intent payment_method pending_setup_intent product promotion_code schedule
  subscription`.split(/\s+/),
)

/** A copy of the answer in which objects replace the ids at the paths of `expand`. */
export async function expanded(tx: Tx, object: object, paths: string[] = []): Promise<Node> {
  const answer = shownNow(tx, object)
  for (const path of paths) {
    const steps = path.split('.')
    if (steps.length > expandLevels.most) throw tooDeep(path)
    await expandPath(tx, answer, steps, path)
  }
  return answer
}

async function expandPath(tx: Tx, node: unknown, steps: string[], path: string): Promise<void> {
  const [step, ...rest] = steps
  if (step === undefined || node === null) return
  if (Array.isArray(node)) {
    for (const each of node) await expandPath(tx, each, steps, path)
    return
  }
  const next = await stepInto(tx, node, step, path)
  await expandPath(tx, next, rest, path)
}

async function stepInto(tx: Tx, node: unknown, step: string, path: string): Promise<unknown> {
  if (typeof node !== 'object') throw cannotExpand(path)
  const at = node as Node
  bringOut(at, step)
  if (!Object.hasOwn(at, step)) throw cannotExpand(path)
  const value = at[step]
  const byId = async (id: unknown) => {
    if (typeof id !== 'string') return id
    const object = expandable.has(step) ? await findObject(tx, id) : undefined
    if (!object) throw cannotExpand(path)
    return shownNow(tx, object)
  }
  at[step] = Array.isArray(value) ? await Promise.all(value.map(byId)) : await byId(value)
  return at[step]
}

/** The object as answers show it. Invoices get new links each time, and coupons may be past. */
function shownNow(tx: Tx, object: object): Node {
  const copy = shown(asOf(object as Stored | List<Stored>, tx.now))
  for (const each of copy['object'] === 'list' ? (copy['data'] as Node[]) : [copy])
    if (each['object'] === 'invoice' && each['hosted_invoice_url'])
      Object.assign(each, linksTo(String(each['id']), tx.merchant, tx.now))
  return copy
}

function asOf(object: Stored | List<Stored>, now: number): object {
  if (object.object === 'list')
    return { ...object, data: object.data.map((each) => asOf(each, now)) }
  if (object.object === 'coupon') return couponNow(object, now)
  return object.object === 'promotion_code' ? promotionCodeNow(object, now) : object
}

function cannotExpand(path: string) {
  return invalid(`This property cannot be expanded (${path}).`, { param: 'expand' })
}

function tooDeep(path: string) {
  const message = `You cannot expand more than ${expandLevels.most} levels of a property. Property: ${path}`
  return invalid(message, { code: expandLevels.code, param: 'expand' })
}
