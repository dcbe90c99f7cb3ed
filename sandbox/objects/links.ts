import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Merchant } from './account.ts'
import { day } from './due-at.ts'
import type { Invoice } from './wire.ts'

const lastFor = 30 * day

/** The URLs of an invoice's page and PDF. They are signed and expire after 30 days. */
export function linksTo(
  id: string,
  { publicUrl, linkSecret }: Merchant,
  now: number,
): Pick<Invoice, 'hosted_invoice_url' | 'invoice_pdf'> {
  const named = `${id}.${(now + lastFor).toString(36)}`
  const url = `${publicUrl}/sandbox/invoices/${named}.${signatureOf(named, linkSecret)}`
  return { hosted_invoice_url: url, invoice_pdf: `${url}/pdf` }
}

/** The invoice and expiry in the last part of a `linksTo` URL, if its signature is right. */
export function readLink(
  token: string,
  { linkSecret }: Merchant,
): { id: string; ends: number } | undefined {
  const [id = '', ends = '', signature = ''] = token.split('.')
  const right = Buffer.from(signatureOf(`${id}.${ends}`, linkSecret))
  const given = Buffer.from(signature)
  return given.length === right.length && timingSafeEqual(given, right)
    ? { id, ends: parseInt(ends, 36) }
    : undefined
}

function signatureOf(named: string, secret: string): string {
  return createHmac('sha256', secret).update(named).digest('base64url').slice(0, 24)
}
