import type { Context } from 'hono'
import { html } from 'hono/html'
import { z } from 'zod'
import type { MessageKey } from '#locales/keys.ts'
import type { Timekeeper } from '../clock/timekeeper.ts'
import type { World } from '../store/tx.ts'
import { page } from './layout.ts'
import { pathFrom, reader, type Reader } from './reader.ts'
import { table } from './table.ts'

const hour = 3600
const day = 24 * hour
const furthest = 400 * day
const steps = [
  ['sandbox.clock.hour', hour],
  ['sandbox.clock.day', day],
  ['sandbox.clock.week', 7 * day],
] as const

const wanted = z.object({ advanceSeconds: z.coerce.number().int().min(1).max(furthest) })

export async function clockPage(
  c: Context,
  world: World,
  { now }: Timekeeper,
  { refused = false } = {},
) {
  const reading = await reader(c, world)
  const { t, moment } = reading
  const title = t('sandbox.clock.title')
  return page(
    c,
    reading,
    title,
    html`<main>
      <p><a href="${pathFrom(c, '/sandbox')}">${t('sandbox.home')}</a></p>
      <h1>${title}</h1>
      ${refused ? html`<p class="notice bad" role="alert">${t('sandbox.clock.refused', { days: furthest / day })}</p>` : ''}
      <section class="card">
        <p class="soft">${t('sandbox.clock.now')}</p>
        <p class="figure">${moment(await now())}</p>
      </section>
      <section class="card">
        <h2>${t('sandbox.clock.move')}</h2>
        <form method="post" class="row">
          ${steps.map(([name, seconds]) => html`<button name="advanceSeconds" value="${seconds}">${t(name)}</button>`)}
        </form>
      </section>
      <section class="card">
        <h2>${t('sandbox.clock.next')}</h2>
        ${await dueTable(world, reading)}
      </section>
    </main>`,
    { status: refused ? 400 : 200 },
  )
}

export async function moveClock(c: Context, world: World, timekeeper: Timekeeper) {
  const asForm = !c.req.header('content-type')?.includes('json')
  const asked = wanted.safeParse(
    asForm ? await c.req.parseBody() : await c.req.json().catch(() => null),
  )
  if (!asked.success) return asForm ? clockPage(c, world, timekeeper, { refused: true }) : refuse(c)
  const now = await timekeeper.advance(asked.data.advanceSeconds)
  if (!asForm) return c.json({ now, at: new Date(now * 1000).toISOString() })
  return c.redirect(pathFrom(c, '/sandbox/clock'), 303)
}

function refuse(c: Context) {
  const message = `advanceSeconds must be a whole number of seconds from 1 to ${furthest} (400 days).`
  return c.json({ error: { type: 'invalid_request_error', param: 'advanceSeconds', message } }, 400)
}

async function dueTable({ pool }: World, { t, moment }: Reader) {
  const { rows } = await pool.query<{ id: string; type: string; status: string; due_at: string }>(
    `select id, type, body->>'status' as status, due_at from sandbox.objects where due_at is not null order by due_at, type, seq limit 10`,
  )
  if (!rows.length) return html`<p class="soft">${t('sandbox.clock.nothing')}</p>`
  return table(
    t('sandbox.clock.next'),
    [t('sandbox.clock.when'), t('sandbox.clock.what'), t('sandbox.clock.which')],
    rows.map(({ id, type, status, due_at }) => [
      html`${moment(Number(due_at))}`,
      html`${t(events[`${type} ${status}`] ?? 'sandbox.clock.changes')}`,
      html`<span class="mono">${id}</span>`,
    ]),
  )
}

const events: Record<string, MessageKey> = {
  'subscription incomplete': 'sandbox.clock.expires',
  'subscription active': 'sandbox.clock.renews',
  'subscription past_due': 'sandbox.clock.renews',
  'invoice draft': 'sandbox.clock.becomesFinal',
  'invoice open': 'sandbox.clock.triesAgain',
}
