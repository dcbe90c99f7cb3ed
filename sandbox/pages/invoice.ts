import type { Context } from 'hono'
import { html } from 'hono/html'
import { readLink } from '../objects/links.ts'
import { findObject } from '../store/objects.ts'
import { sandboxTime, type World } from '../store/tx.ts'
import { invoicePdf } from './invoice-pdf.ts'
import { showInvoice } from './invoice-shown.ts'
import { logo, note, notFound, page } from './layout.ts'
import { table } from './table.ts'

export async function invoicePage(c: Context, world: World) {
  const { invoice, refusal } = await invoiceAsked(c, world)
  if (!invoice) return refusal
  const shown = await showInvoice(world.pool, invoice)
  const rows = shown.rows.map(({ what, when, quantity, unitPrice, amount }) => [
    html`<strong>${what}</strong><br /><span class="soft">${when}</span>`,
    html`${quantity}`,
    html`${unitPrice}`,
    html`${amount}`,
  ])
  const foot = shown.sums.map(({ name, amount }) => [html`${name}`, html`${amount}`])
  return page(
    c,
    shown.title,
    html`<main>
      <article class="card sheet">
        <header class="row between">
          <p class="merchant">${logo({ ...world.merchant, name: shown.merchant })}</p>
          <p class="badge ${shown.status.tone}">${shown.status.words}</p>
        </header>
        <div>
          <h1 class="soft">Invoice</h1>
          <p class="figure">${shown.total}</p>
        </div>
        <dl>
          ${Object.entries(shown.facts).map(
            ([name, value]) =>
              html`<dt>${name}</dt>
                <dd>${value}</dd>`,
          )}
        </dl>
        <div class="columns">
          <section>
            <h2>From</h2>
            <address>${shown.seller.map((line) => html`${line}<br />`)}</address>
          </section>
          <section>
            <h2>Billed to</h2>
            <address>${shown.billedTo.map((line) => html`${line}<br />`)}</address>
          </section>
        </div>
        ${table('What was billed', shown.columns, rows, { end: [1, 2, 3], foot })}
        ${shown.note && html`<p>${shown.note}</p>`}
        <footer class="soft">${shown.footer}</footer>
      </article>
      <p><a class="button" href="${c.req.path}/pdf">Download PDF</a></p>
    </main>`,
  )
}

export async function invoicePdfFile(c: Context, world: World) {
  const { invoice, refusal } = await invoiceAsked(c, world)
  if (!invoice) return refusal
  const file = await invoicePdf(await showInvoice(world.pool, invoice), world.merchant.mark)
  return c.body(new Uint8Array(file), 200, {
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="invoice-${invoice.number}.pdf"`,
    'cache-control': 'no-store',
  })
}

/** Finds the invoice of a link. Anyone with the link may see the invoice until the link expires. */
async function invoiceAsked(c: Context, world: World) {
  const link = readLink(c.req.param('token') ?? '', world.merchant)
  const invoice = link && (await findObject(world.pool, link.id))
  if (invoice?.object !== 'invoice') return { refusal: notFound(c, 'invoice') }
  if (link && link.ends > (await sandboxTime(world.pool))) return { invoice }
  const hint = `Links to invoices work for 30 days. Open the invoice in ${world.merchant.name} again for a new one.`
  return { refusal: note(c, 'This link has expired', hint, 410) }
}
