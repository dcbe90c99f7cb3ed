import { nulls } from './new-object.ts'
import type { Account } from './wire.ts'

/** The merchant who uses the sandbox. */
export type Merchant = {
  publicUrl: string
  /** Where 3-D Secure may return to. */
  productUrl: string
  name: string
  /** A PNG of the merchant's mark. */
  mark?: Uint8Array | undefined
  /** Signs the links to invoices. */
  linkSecret: string
}

/** The merchant's account. */
export function newAccount(id: string, name: string): Account {
  return {
    id,
    object: 'account',
    business_type: null,
    capabilities: { card_payments: 'active', transfers: 'active' },
    charges_enabled: true,
    controller: { type: 'account' },
    country: 'US',
    default_currency: 'usd',
    details_submitted: true,
    email: null,
    metadata: {},
    payouts_enabled: true,
    settings: {
      branding: { icon: null, logo: null, primary_color: null, secondary_color: null },
      card_payments: {
        statement_descriptor_prefix: null,
        statement_descriptor_prefix_kana: null,
        statement_descriptor_prefix_kanji: null,
      },
      dashboard: { display_name: name, timezone: 'Etc/UTC' },
      payments: {
        ...nulls(
          'statement_descriptor statement_descriptor_kana statement_descriptor_kanji',
          'statement_descriptor_prefix_kana statement_descriptor_prefix_kanji',
        ),
      },
    },
    type: 'standard',
  }
}
