import type { Route } from '../api/route.ts'
import { account } from './account.ts'
import { charges } from './charges.ts'
import { coupons } from './coupons.ts'
import { creditNotes } from './credit-notes.ts'
import { customers } from './customers.ts'
import { events } from './events.ts'
import { invoicePayments } from './invoice-payments.ts'
import { invoicePreview } from './invoice-preview.ts'
import { invoices } from './invoices.ts'
import { paymentIntents } from './payment-intents.ts'
import { paymentMethods } from './payment-methods.ts'
import { prices } from './prices.ts'
import { products } from './products.ts'
import { promotionCodes } from './promotion-codes.ts'
import { refunds } from './refunds.ts'
import { setupIntents } from './setup-intents.ts'
import { subscriptionChanges } from './subscription-changes.ts'
import { subscriptionSchedules } from './subscription-schedules.ts'
import { subscriptions } from './subscriptions.ts'
import { taxIds } from './tax-ids.ts'
import { testClocks } from './test-clocks.ts'
import { webhookEndpoints } from './webhook-endpoints.ts'

export const allRoutes: Route[] = [
  account,
  products,
  prices,
  coupons,
  promotionCodes,
  customers,
  taxIds,
  paymentMethods,
  setupIntents,
  subscriptions,
  subscriptionChanges,
  subscriptionSchedules,
  paymentIntents,
  charges,
  refunds,
  creditNotes,
  invoicePayments,
  // This path must come before `/invoices/:id`, which would match it.
  invoicePreview,
  invoices,
  events,
  webhookEndpoints,
  testClocks,
].flat()
