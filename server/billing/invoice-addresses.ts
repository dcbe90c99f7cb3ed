import type { Services } from '../core/services.ts'

/** Where an invoice is shown and had as a PDF: nothing before it is finalized, when it gets its number. */
export function invoiceAddresses(
  { number, token }: { number: string | null; token: string },
  { publicUrl }: Pick<Services, 'publicUrl'>,
) {
  const page = number === null ? null : `${publicUrl}/invoices/${token}`
  return { hosted_invoice_url: page, invoice_pdf: page && `${page}.pdf` }
}
