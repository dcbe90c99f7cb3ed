import type { Route } from '../api/route.ts'
import { customers } from './customers.ts'
import { events } from './events.ts'
import { invoicePreview } from './invoice-preview.ts'
import { invoices } from './invoices.ts'
import { paymentIntents } from './payment-intents.ts'
import { paymentMethods } from './payment-methods.ts'
import { prices } from './prices.ts'
import { products } from './products.ts'
import { setupIntents } from './setup-intents.ts'
import { subscriptionChanges } from './subscription-changes.ts'
import { subscriptions } from './subscriptions.ts'
import { taxIds } from './tax-ids.ts'
import { webhookEndpoints } from './webhook-endpoints.ts'

export const allRoutes: Route[] = [
  products,
  prices,
  customers,
  taxIds,
  paymentMethods,
  setupIntents,
  subscriptions,
  subscriptionChanges,
  paymentIntents,
  // Before the invoices: its address looks like that of one.
  invoicePreview,
  invoices,
  events,
  webhookEndpoints,
].flat()
