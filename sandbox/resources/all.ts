import type { Route } from '../api/route.ts'
import { account } from './account.ts'
import { charges, creditNotes, refunds } from './charges.ts'
import { coupons, promotionCodes } from './coupons.ts'
import { customers } from './customers.ts'
import { events } from './events.ts'
import { invoicePayments, invoices } from './invoices.ts'
import { invoicePreview } from './invoice-preview.ts'
import { paymentIntents, setupIntents } from './intents.ts'
import { paymentMethods } from './payment-methods.ts'
import { prices, products } from './prices.ts'
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
