import { billingLimits } from '#config/limits.ts'
import { Hono, type Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import Stripe from 'stripe'

const longestBody = 100_000

/** The card form sends its requests to /sandbox. This passes them on to the server at `base`. */
export function passToApi(base: string, publishableKey: string) {
  const api = new Hono()
  const ask = passedOn(base, publishableKey)
  const pass = (c: Context) => ask(c, c.req.path.slice(c.req.path.indexOf('/v1/')))
  api.use(
    bodyLimit({
      maxSize: longestBody,
      onError: (c) => refuse(c, 413, 'The request body is too large.'),
    }),
  )
  api.post('/v1/payment_methods', pass)
  api.get('/v1/setup_intents/:id{\\w+}', pass)
  api.post('/v1/setup_intents/:id{\\w+}/confirm', pass)
  api.all('*', (c) => refuse(c, 404, 'Browsers have no use for this.'))
  return new Hono().route('/stripe', api).get('/authenticate/:id{\\w+}', async (c) => {
    const answer = await ask(c, `/v1/${intentsOf(c.req.param('id'))}/${c.req.param('id')}`)
    const { next_action } = (await answer.json()) as Partial<Stripe.PaymentIntent>
    const url = next_action?.redirect_to_url?.url
    return url ? c.redirect(url) : c.text('The bank asks nothing.', 404)
  })
}

function intentsOf(id: string) {
  return id.startsWith('seti_') ? 'setup_intents' : 'payment_intents'
}

function passedOn(base: string, publishableKey: string) {
  return async (c: Context, path: string) => {
    const asked = base + path + new URL(c.req.url).search
    const { method } = c.req
    try {
      const answer = await fetch(asked, {
        method,
        headers: {
          authorization: `Bearer ${publishableKey}`,
          'stripe-version': Stripe.API_VERSION,
        },
        ...(method === 'POST' && { body: new URLSearchParams(await c.req.text()) }),
        signal: AbortSignal.timeout(billingLimits.providerTimeout),
      })
      const headers = {
        'content-type': answer.headers.get('content-type') ?? 'application/json',
        'cache-control': 'no-store',
      }
      return new Response(await answer.text(), { status: answer.status, headers })
    } catch {
      return refuse(c, 502, `${base} did not answer.`)
    }
  }
}

/** Answers with an error in Stripe's format, which the card form can read. */
function refuse(c: Context, status: 404 | 413 | 502, message: string) {
  return c.json(
    { error: { type: status === 502 ? 'api_error' : 'invalid_request_error', message } },
    status,
  )
}
