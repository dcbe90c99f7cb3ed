import type { Context } from 'hono'
import { html } from 'hono/html'
import { readLink } from '../objects/links.ts'
import { lookUp } from '../store/objects.ts'
import { sandboxTime, type World } from '../store/tx.ts'
import { invoicePdf } from './invoice-pdf.ts'
import { showInvoice } from './invoice-shown.ts'
import { linkEnded, notFound, page } from './layout.ts'
import { customersReader, pathFrom, reader } from './reader.ts'
import { table } from './table.ts'

export async function invoicePage(c: Context, world: World) {
  const { invoice, reading, refusal } = await invoiceAsked(c, world)
  if (!invoice) return refusal
  const { t } = reading
  const { title, heading, merchant, status, total, facts, billedTo, lines, sums, footer } =
    await showInvoice(world.pool, invoice, reading)
  const rows = lines.rows.map(({ what, when, quantity, unitPrice, amount }) => [
    html`<strong>${what}</strong><br /><span class="soft">${when}</span>`,
    html`${quantity}`,
    html`${unitPrice}`,
    html`${amount}`,
  ])
  const foot = sums.map(([name, amount]) => [html`${name}`, html`${amount}`])
  return page(
    c,
    reading,
    title,
    html`<main>
      <article class="card sheet">
        <header class="row between">
          <p class="merchant">${merchant}</p>
          <p class="badge ${status.tone}">${status.words}</p>
        </header>
        <div>
          <h1 class="soft">${heading}</h1>
          <p class="figure">${total}</p>
        </div>
        <div class="columns">
          <dl>
            ${facts.map(
              ([name, value]) =>
                html`<dt>${name}</dt>
                  <dd>${value}</dd>`,
            )}
          </dl>
          <section>
            <h2>${billedTo.title}</h2>
            <address>${billedTo.lines.map((line) => html`${line}<br />`)}</address>
          </section>
        </div>
        ${table(lines.title, lines.columns, rows, { end: [1, 2, 3], foot })}
        <footer class="soft">${footer}</footer>
      </article>
      <p class="row no-print">
        <button class="primary" data-print>${t('sandbox.invoice.print')}</button>
        <a class="button" href="${pathFrom(c, `${c.req.path}/pdf`)}"
          >${t('sandbox.invoice.download')}</a
        >
      </p>
    </main>`,
    { script: 'print.js' },
  )
}

export async function invoicePdfFile(c: Context, world: World) {
  const { invoice, reading, refusal } = await invoiceAsked(c, world)
  if (!invoice) return refusal
  const file = invoicePdf(await showInvoice(world.pool, invoice, reading), reading.language)
  return c.body(new Uint8Array(file), 200, {
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="invoice-${invoice.number}.pdf"`,
    'content-language': reading.language,
    'cache-control': 'no-store',
  })
}

/** Everybody who has the link may see the invoice until the link ends. */
async function invoiceAsked(c: Context, world: World) {
  const link = readLink(c.req.param('token') ?? '', world.account)
  const invoice = link && (await lookUp(world.pool, link.id))
  if (invoice?.object !== 'invoice')
    return { refusal: notFound(c, await reader(c, world), 'invoice') }
  const reading = await customersReader(c, world, invoice.customer)
  return link && link.ends > (await sandboxTime(world.pool))
    ? { invoice, reading }
    : { refusal: linkEnded(c, reading) }
}
