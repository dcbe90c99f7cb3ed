import type { Context } from 'hono'
import { html } from 'hono/html'
import { dayOf, money } from '../billing/lines.ts'
import type { Invoice } from '../objects/wire.ts'
import { lookUp } from '../store/objects.ts'
import type { World } from '../store/tx.ts'
import { invoicePdf } from './invoice-pdf.ts'
import { statusWords, toLines, totals } from './invoice-words.ts'
import { notFound, page } from './layout.ts'

const tones: Record<string, string> = { paid: 'good', open: 'warn', uncollectible: 'bad' }

export async function invoicePage(c: Context, world: World) {
  const invoice = await invoiceAsked(c, world)
  if (!invoice) return notFound(c, 'This invoice')
  const status = invoice.status ?? 'draft'
  return page(
    c,
    `Invoice ${invoice.number}`,
    html`<main>
      <div class="row between">
        <h1>${invoice.account_name}</h1>
        <p class="${tones[status] ?? 'soft'}"><strong>${statusWords(invoice)}</strong></p>
      </div>
      <section class="card">
        <p class="soft">Invoice <span class="mono">${invoice.number}</span></p>
        <p class="figure">${money(invoice.total, invoice.currency)}</p>
        <dl>
          <dt>Date</dt>
          <dd>${dayOf(invoice.created)}</dd>
          <dt>To</dt>
          <dd>${toLines(invoice).map((line) => html`${line}<br />`)}</dd>
        </dl>
      </section>
      <section class="card scroll">${table(invoice)}</section>
      <p class="row no-print">
        <button data-print>Print</button>
        <a class="button" href="${new URL(invoice.invoice_pdf ?? '').pathname}">Download PDF</a>
      </p>
    </main>`,
    { script: 'print.js' },
  )
}

export async function invoicePdfFile(c: Context, world: World) {
  const invoice = await invoiceAsked(c, world)
  if (!invoice) return notFound(c, 'This invoice')
  return c.body(new Uint8Array(invoicePdf(invoice)), 200, {
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="invoice-${invoice.number}.pdf"`,
    'cache-control': 'no-store',
  })
}

/** The link's last part is `<invoice>.<secret>`: whoever has it may see the invoice, and nobody can guess it. */
async function invoiceAsked(c: Context, world: World): Promise<Invoice | undefined> {
  const token = c.req.param('token') ?? ''
  const invoice = await lookUp(world.pool, token.split('.', 1)[0] ?? '')
  return invoice?.object === 'invoice' && invoice.hosted_invoice_url?.endsWith(`/${token}`) ? invoice : undefined
}

function table(invoice: Invoice) {
  const row = (name: string, amount: number) =>
    html`<tr>
      <td>${name}</td>
      <td class="end">${money(amount, invoice.currency)}</td>
    </tr>`
  return html`<table>
    <thead>
      <tr>
        <th>Description</th>
        <th class="end">Amount</th>
      </tr>
    </thead>
    <tbody>
      ${invoice.lines.data.map(
        (line) =>
          html`<tr>
            <td>${line.description}<br /><span class="soft">${dayOf(line.period.start)} – ${dayOf(line.period.end)}</span></td>
            <td class="end">${money(line.amount, line.currency)}</td>
          </tr>`,
      )}
    </tbody>
    <tfoot>
      ${totals(invoice).map(([name, amount]) => row(name, amount))}
    </tfoot>
  </table>`
}
