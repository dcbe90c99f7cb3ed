import { z } from 'zod'
import type { Tx } from '../store/tx.ts'
import { expanded } from './expand.ts'
import type { Form } from './form.ts'
import { expand, readParams } from './params.ts'

export type Method = 'GET' | 'POST' | 'DELETE'

export type Asking<P> = {
  tx: Tx
  input: P
  /** The `:id` of the path. */
  id: string
  /** Its `:part`, which belongs to the object of that id. */
  part: string
  /** Asked with the publishable key, from a browser. */
  browser: boolean
}

export type Route = {
  method: Method
  path: string
  forBrowsers: boolean
  answer(tx: Tx, form: Form, path: Record<string, string>, browser: boolean): Promise<object>
}

/** One call of Stripe's API: what it takes, and what it does. Everything else is done for all of them alike. */
export function route<S extends z.ZodRawShape>(
  method: Method,
  path: string,
  shape: S,
  run: (asking: Asking<z.output<z.ZodObject<S>>>) => Promise<object>,
  { forBrowsers = false } = {},
): Route {
  const params = z.strictObject({ ...shape, expand })
  return {
    method,
    path: `/v1${path}`,
    forBrowsers,
    async answer(tx, form, { id = '', part = '' }, browser) {
      const { expand: paths, ...input } = readParams(params, form) as { expand?: string[] }
      return expanded(tx, await run({ tx, input: input as z.output<z.ZodObject<S>>, id, part, browser }), paths)
    },
  }
}
