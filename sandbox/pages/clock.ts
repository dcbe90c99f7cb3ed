import type { Context } from 'hono'
import { html } from 'hono/html'
import { z } from 'zod'
import type { Timekeeper } from '../clock/timekeeper.ts'
import { day, hour, week } from '../objects/due-at.ts'
import type { World } from '../store/tx.ts'
import { moment } from './format.ts'
import { page } from './layout.ts'
import { table } from './table.ts'

const furthest = 400 * day
const steps = { 'By an hour': hour, 'By a day': day, 'By a week': week }

const seconds = z.coerce.number().int().min(1).max(furthest)
const wanted = z.object({ advanceSeconds: seconds })
/** For programs that want to have a past: nothing that has happened is undone. */
const back = z.object({ rewindSeconds: seconds })

export async function clockPage(
  c: Context,
  world: World,
  { now }: Timekeeper,
  { refused = false } = {},
) {
  return page(
    c,
    'Clock',
    html`<main>
      <h1>Clock</h1>
      ${
        refused
          ? html`<p class="notice bad" role="alert">
              The clock was not moved: it moves forward by 1 second at least, and by
              ${furthest / day} days at most.
            </p>`
          : ''
      }
      <section class="card">
        <p class="soft">It is now, for everything billed here</p>
        <p class="figure">${moment(await now())}</p>
      </section>
      <section class="card">
        <h2>Move it forward</h2>
        <form method="post" class="row">
          ${Object.entries(steps).map(
            ([name, seconds]) =>
              html`<button name="advanceSeconds" value="${seconds}">${name}</button>`,
          )}
        </form>
      </section>
      <section class="card">
        <h2>What comes next</h2>
        ${await dueTable(world)}
      </section>
    </main>`,
    { status: refused ? 400 : 200, bar: world.merchant },
  )
}

export async function moveClock(c: Context, world: World, timekeeper: Timekeeper) {
  const asForm = !c.req.header('content-type')?.includes('json')
  const given = asForm ? await c.req.parseBody() : await c.req.json().catch(() => null)
  const rewound = asForm ? undefined : back.safeParse(given).data
  if (rewound) return answer(c, await timekeeper.rewind(rewound.rewindSeconds))
  const asked = wanted.safeParse(given)
  if (!asked.success) return asForm ? clockPage(c, world, timekeeper, { refused: true }) : refuse(c)
  const now = await timekeeper.advance(asked.data.advanceSeconds)
  return asForm ? c.redirect('/sandbox/clock', 303) : answer(c, now)
}

function answer(c: Context, now: number) {
  return c.json({ now, at: new Date(now * 1000).toISOString() })
}

function refuse(c: Context) {
  const message = `advanceSeconds must be a whole number of seconds from 1 to ${furthest} (400 days).`
  return c.json({ error: { type: 'invalid_request_error', param: 'advanceSeconds', message } }, 400)
}

async function dueTable({ pool }: World) {
  const { rows } = await pool.query<{ id: string; type: string; status: string; due_at: string }>(
    `select id, type, body->>'status' as status, due_at from sandbox.objects
     where due_at is not null order by due_at, type, seq limit 10`,
  )
  if (!rows.length) return html`<p class="soft">Nothing: there is no running subscription.</p>`
  return table(
    'What comes next',
    ['When', 'What', 'Which'],
    rows.map(({ id, type, status, due_at }) => [
      html`${moment(Number(due_at))}`,
      html`${events[`${type} ${status}`] ?? 'Something else changes'}`,
      html`<span class="mono">${id}</span>`,
    ]),
  )
}

const events: Record<string, string> = {
  'subscription incomplete': 'Subscription expires unpaid',
  'subscription active': 'Subscription renews',
  'subscription past_due': 'Subscription renews',
  'subscription_schedule active': 'Next phase of a schedule begins',
  'invoice draft': 'Invoice becomes final and is paid',
  'invoice open': 'Payment is tried again',
}
