import { Hono } from 'hono'
import { html } from 'hono/html'
import * as z from 'zod/mini'
import type { Services } from '../core/services.ts'
import { devPage } from './page.ts'

const text = z.string().check(z.maxLength(200))
const shape = z.object({
  password: text,
  people: z.array(z.object({ name: text, email: text, text })).check(z.maxLength(50)),
  /** Addresses whose open invites end now, as if time had passed. */
  expired: z.array(text).check(z.maxLength(50)),
})
type Examples = z.output<typeof shape>

const kept = 'examples'

/** Who can sign in after `npm run seed`, which posts it. */
export function devExampleRoutes({ store, now }: Services) {
  return new Hono()
    .get('/people', async (c) => {
      const known = await store.installation.find(kept)
      return c.html(page(known === undefined ? undefined : (JSON.parse(known) as Examples)))
    })
    .post('/examples', async (c) => {
      const { success, data } = shape.safeParse(await c.req.json().catch(() => null))
      if (!success) return c.text('This is not a list of example people.', 400)
      await store.installation.put(kept, JSON.stringify(data))
      for (const email of data.expired) await store.invites.expire(email, now())
      return c.body(null, 204)
    })
}

function page(examples: Examples | undefined) {
  return devPage(
    'Example people',
    examples
      ? html`<p class="soft">
            <a href="/signin">Sign in</a> as one of them. Everybody's password is
            <code>${examples.password}</code>
          </p>
          <ul class="card people">
            ${examples.people.map(
              ({ name, email, text }) =>
                html`<li>
                  <strong>${name}</strong><span>${email}</span><span class="soft">${text}</span>
                </li>`,
            )}
          </ul>`
      : html`<p class="card empty">
          There are none yet. Run <code>npm run seed</code> while this server runs, and reload this
          page.
        </p>`,
  )
}
