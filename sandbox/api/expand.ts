import { lookUp } from '../store/objects.ts'
import type { Runner } from '../store/tx.ts'
import { invalid } from './errors.ts'
import { bringOut, shown } from './shown.ts'

type Node = Record<string, unknown>

/** Levels that Stripe goes down: https://docs.stripe.com/api/expanding_objects */
const deepest = 4

const expandable = new Set([
  'charge',
  'customer',
  'default_payment_method',
  'default_price',
  'invoice',
  'latest_charge',
  'latest_invoice',
  'payment_intent',
  'payment_method',
  'pending_setup_intent',
  'product',
  'subscription',
])

/** The answer as it is sent: ids on the asked-for paths replaced by the objects that they name. */
export async function expanded(runner: Runner, object: object, paths: string[] = []): Promise<Node> {
  const answer = shown(object)
  for (const path of paths) {
    const steps = path.split('.')
    if (steps.length > deepest) throw tooDeep(path)
    await expandPath(runner, answer, steps, path)
  }
  return answer
}

async function expandPath(runner: Runner, node: unknown, steps: string[], path: string): Promise<void> {
  const [step, ...rest] = steps
  if (step === undefined || node === null) return
  if (Array.isArray(node)) {
    for (const each of node) await expandPath(runner, each, steps, path)
    return
  }
  const next = await stepInto(runner, node, step, path)
  await expandPath(runner, next, rest, path)
}

async function stepInto(runner: Runner, node: unknown, step: string, path: string): Promise<unknown> {
  if (typeof node !== 'object') throw cannotExpand(path)
  const at = node as Node
  bringOut(at, step)
  if (!Object.hasOwn(at, step)) throw cannotExpand(path)
  if (typeof at[step] === 'string') {
    const object = expandable.has(step) ? await lookUp(runner, at[step]) : undefined
    if (!object) throw cannotExpand(path)
    at[step] = shown(object)
  }
  return at[step]
}

function cannotExpand(path: string) {
  return invalid(`This property cannot be expanded (${path}).`, { param: 'expand' })
}

function tooDeep(path: string) {
  const message = `You cannot expand more than ${deepest} levels of a property. Property: ${path}`
  return invalid(message, { code: 'property_expansion_max_depth', param: 'expand' })
}
