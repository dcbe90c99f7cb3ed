import type { Context } from 'hono'
import { html } from 'hono/html'
import { z } from 'zod'
import type { Timekeeper } from '../clock/timekeeper.ts'
import type { World } from '../store/tx.ts'
import { page } from './layout.ts'

const day = 24 * 3600
const furthest = 400 * day
const steps = [
  ['an hour', 3600],
  ['a day', day],
  ['a week', 7 * day],
] as const

const wanted = z.object({ advanceSeconds: z.coerce.number().int().min(1).max(furthest) })

export async function clockPage(c: Context, world: World, { now }: Timekeeper, problem = '') {
  const time = await now()
  return page(
    c,
    'Sandbox clock',
    html`<main>
      <p><a href="/sandbox">Sandbox</a></p>
      <h1>Clock</h1>
      ${problem ? html`<p class="bad" role="alert">${problem}</p>` : ''}
      <section class="card">
        <p class="soft">It is now, for everything billed here</p>
        <p class="figure">${spoken(time)}</p>
      </section>
      <section class="card">
        <h2>Move it forward</h2>
        <form method="post" class="row">
          ${steps.map(([name, seconds]) => html`<button name="advanceSeconds" value="${seconds}">By ${name}</button>`)}
        </form>
      </section>
      <section class="card scroll">
        <h2>What comes next</h2>
        ${await dueTable(world)}
      </section>
    </main>`,
    { status: problem ? 400 : 200 },
  )
}

export async function moveClock(c: Context, world: World, timekeeper: Timekeeper) {
  const asForm = !c.req.header('content-type')?.includes('json')
  const asked = wanted.safeParse(asForm ? await c.req.parseBody() : await c.req.json().catch(() => null))
  if (!asked.success) return refuse(c, world, timekeeper, asForm)
  const now = await timekeeper.advance(asked.data.advanceSeconds)
  return asForm ? c.redirect('/sandbox/clock', 303) : c.json({ now, at: new Date(now * 1000).toISOString() })
}

function refuse(c: Context, world: World, timekeeper: Timekeeper, asForm: boolean) {
  const message = `advanceSeconds must be a whole number of seconds from 1 to ${furthest} (400 days).`
  if (asForm) return clockPage(c, world, timekeeper, message)
  return c.json({ error: { type: 'invalid_request_error', param: 'advanceSeconds', message } }, 400)
}

async function dueTable({ pool }: World) {
  const { rows } = await pool.query<{ id: string; type: string; status: string; due_at: string }>(
    `select id, type, body->>'status' as status, due_at from sandbox.objects where due_at is not null order by due_at, type, seq limit 10`,
  )
  if (!rows.length) return html`<p class="soft">Nothing: there is no running subscription.</p>`
  return html`<table>
    <thead>
      <tr>
        <th>When</th>
        <th>What</th>
        <th>Which</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ({ id, type, status, due_at }) =>
          html`<tr>
            <td class="nowrap">${spoken(Number(due_at))}</td>
            <td>${events[`${type} ${status}`] ?? 'Changes'}</td>
            <td class="mono">${id}</td>
          </tr>`,
      )}
    </tbody>
  </table>`
}

const events: Record<string, string> = {
  'subscription incomplete': 'Subscription expires unpaid',
  'subscription active': 'Subscription renews',
  'subscription past_due': 'Subscription renews',
  'invoice draft': 'Invoice becomes final and is paid',
  'invoice open': 'Payment is tried again',
}

const moment = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZone: 'UTC',
})

function spoken(seconds: number): string {
  return `${moment.format(seconds * 1000)} UTC`
}
