import { z } from 'zod'
import { missingName } from '../rules/refusals.ts'
import type { Tx } from '../store/tx.ts'
import { StripeFailure } from '../rules/errors.ts'
import { expanded } from './expand.ts'
import type { Form } from './form.ts'
import { refuseTooLong } from './lengths.ts'
import { expand, readParams } from './params.ts'

export type Method = 'GET' | 'POST' | 'DELETE'

export type Asking<P> = {
  tx: Tx
  input: P
  /** The value of `:id` in the path. */
  id: string
  /** The value of `:part` in the path: the id of an object that belongs to the object `id`. */
  part: string
  /** Whether the request has a publishable key, as requests from browsers do. */
  browser: boolean
}

export type Route = {
  method: Method
  path: string
  forBrowsers: boolean
  answer(tx: Tx, form: Form, path: Record<string, string>, browser: boolean): Promise<object>
}

/** One call of Stripe's API: its method, path and parameters, and the function that runs it. */
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
      refuseTooLong(path, form)
      const asking = { tx, input: input as z.output<z.ZodObject<S>>, id, part, browser }
      return expanded(
        tx,
        await run(asking).catch((error: unknown) =>
          Promise.reject(named(error, `${method} /v1${path}`)),
        ),
        paths,
      )
    },
  }
}

/** The error for a missing object, with the parameter name that Stripe uses for this call. */
function named(error: unknown, call: string): unknown {
  if (!(error instanceof StripeFailure) || error.status !== 404 || error.body.param) return error
  return new StripeFailure(404, { ...error.body, param: missingName(call) })
}
