import * as z from 'zod/mini'
import { fromProvider } from '../core-refusals.ts'
import {
  invoice,
  owed,
  ownershipOffer,
  ownPaymentMethod,
  paymentMethod,
  planChangePreview,
  projectBilling,
} from '../entities.ts'
import {
  billingDetails,
  billingInfo,
  code,
  email,
  field,
  id,
  onInvoices,
  paged,
  payerPlace,
  subscriptionId,
  taxId,
  total,
} from '../fields.ts'
import {
  activeOwner,
  admin,
  billing,
  external,
  owner,
  read,
  signedIn,
  write,
  type CallRow,
} from '../rows.ts'
import { challenge, ofBillingInfo, ofPurchase, wish } from './parts.ts'

const quote = field('From an answer of `previewPlanChange`, whole.', z.optional(code))
const at = field(
  'When it takes effect. Refused with `notOffered` if this is not sold so.',
  z.optional(z.enum(['now', 'periodEnd'])),
)
const paymentMethodId = field('The id of the card at the payment provider.', id)
const currency = field(
  'ISO 4217, lower case; null if the project has none yet.',
  z.nullable(z.string()),
)
const ofNewOwner = ['notEligibleOwner', 'factorRequired', 'tooManyProjects']
const inOffer = { needs: 'admin', onlyActive: 'evenLookOnly' } as const
const ofPlanChange = [
  ...ofPurchase,
  'samePlan',
  'currencyFixed',
  'planTooSmall',
  'tooManyMembers',
  'planChangeNotPaid',
  'notOffered',
]

export const ofBilling = {
  listInvoices: read(admin, 'Lists the invoices of a project, the newest first.', {
    input: { subscriptionId, ...paged },
    answer: { invoices: z.array(invoice), total },
  }),
  previewPlanChange: read(
    { ...activeOwner, asksProvider: true },
    'Says what a change of the plan costs.',
    {
      input: {
        subscriptionId,
        ...wish,
        at,
        address: field(
          'The place of the payer. It matters only for a change from a free plan to a paid one.',
          z.optional(payerPlace),
        ),
      },
      answer: {
        preview: planChangePreview,
        quote: field(
          'For one change, which then costs what was shown. Its content means nothing to clients.',
          z.optional(z.string()),
        ),
      },
      refusals: [...ofPlanChange, 'billingBusy'],
    },
  ),
  changeSubscriptionPlan: billing(
    activeOwner,
    'Changes the plan of a project. After a `clientSecret`, the payer confirms the payment, and the client calls `completePayment`.',
    {
      input: {
        subscriptionId,
        ...wish,
        at,
        billingInfo: field(
          'For a change from a free plan to a paid one; any other change refuses it.',
          z.optional(billingInfo),
        ),
        quote: field('From `previewPlanChange`: it costs what that showed, or is refused.', quote),
      },
      answer: challenge,
      refusals: [...ofPlanChange, ...ofBillingInfo, 'previewOutdated', 'paymentIncomplete'],
    },
  ),
  undoPlanChange: billing(
    activeOwner,
    'Takes back a change to a smaller plan that waits for the end of the period.',
    { input: { subscriptionId }, refusals: ['nothingToUndo'] },
  ),
  previewCancellation: read(
    { ...activeOwner, asksProvider: true },
    'Says what is paid back if the project is canceled today.',
    {
      input: { subscriptionId },
      answer: { refund: field('In minor units of `currency`.', z.int()), currency },
    },
  ),
  cancelSubscription: billing(
    activeOwner,
    'Cancels a project. Without `at`, it ends as the configuration offers first.',
    {
      input: {
        subscriptionId,
        confirmationId: field('The id of the project, as its owner has typed it.', id),
        at,
      },
      refusals: ['subscriptionIdMismatch', 'notOffered'],
    },
  ),
  resumeSubscription: billing(
    activeOwner,
    'Takes back the cancellation of the owner that waits for the end of the period.',
    { input: { subscriptionId }, refusals: ['nothingToUndo'] },
  ),
  previewPayment: read({ ...activeOwner, asksProvider: true }, 'Says what is overdue.', {
    input: { subscriptionId },
    answer: { owed: field('Null if nothing is overdue.', z.nullable(owed)) },
  }),
  payInvoice: billing(
    activeOwner,
    'Pays all overdue invoices, or starts a project whose trial is over again.',
    {
      input: {
        subscriptionId,
        paymentMethodId: field(
          'A card, which becomes the default. Left out, the default card pays.',
          z.optional(id),
        ),
      },
      answer: challenge,
      refusals: ['notOverdue', 'paymentMethodRequired', 'paymentIncomplete'],
    },
  ),
  getPaymentMethods: read({ ...owner, asksProvider: true }, 'Lists the cards of a project.', {
    input: { subscriptionId },
    answer: { paymentMethods: z.array(paymentMethod) },
  }),
  createSetupIntent: billing(
    { ...activeOwner, secret: true },
    'Begins to add a card, which the form of the payment provider then takes.',
    {
      input: { subscriptionId },
      answer: { clientSecret: field('For the form of the payment provider.', z.string()) },
    },
  ),
  setDefaultPaymentMethod: billing(activeOwner, 'Says which card pays the plan.', {
    input: { subscriptionId, paymentMethodId },
  }),
  deletePaymentMethod: billing(activeOwner, 'Removes a card.', {
    input: { subscriptionId, paymentMethodId },
    refusals: ['defaultPaymentMethod'],
  }),
  getBillingDetails: read({ ...owner, asksProvider: true }, 'Reads who pays for a project.', {
    input: { subscriptionId },
    answer: projectBilling,
  }),
  updateBillingDetails: billing(
    activeOwner,
    'Changes who pays for a project. Optional fields that are left out stay as they are.',
    {
      input: {
        subscriptionId,
        ...billingDetails,
        billing_email: field(
          'The address that gets receipts; null: the owner gets them.',
          z.optional(z.nullable(email)),
        ),
        tax_id: field('The tax id of the payer; null removes it.', z.optional(z.nullable(taxId))),
        ...onInvoices,
        receipts: field(
          'Whether the server mails a receipt after every payment.',
          z.optional(z.boolean()),
        ),
      },
    },
  ),
  transferSubscriptionOwnership: billing(
    activeOwner,
    'Gives a project to another administrator, and removes every card. Where the configuration says so, only offers it: it is given when they accept.',
    {
      input: {
        subscriptionId,
        newOwnerId: field('The id of an administrator of the project.', id),
        keepCard: field(
          'The card that pays stays until another is the default.',
          z._default(z.boolean(), false),
        ),
      },
      answer: {
        offered: field(
          'It waits to be accepted. Missing if it is given.',
          z.optional(z.literal(true)),
        ),
      },
      refusals: ofNewOwner,
    },
  ),
  getOwnershipOffer: read(
    inOffer,
    'Reads the open offer of ownership. Only its two sides see it.',
    {
      input: { subscriptionId },
      answer: {
        offer: field('Null if the caller is not one of its sides.', z.nullable(ownershipOffer)),
      },
    },
  ),
  acceptOwnership: billing(
    inOffer,
    'Makes the caller the owner, as the owner has offered. Changes nothing for the owner.',
    { input: { subscriptionId }, refusals: ['ownershipNotOffered', ...ofNewOwner] },
  ),
  endOwnershipOffer: write(
    inOffer,
    'Ends an offer of ownership: the owner takes it back, or the other declines it.',
    { input: { subscriptionId }, refusals: ['ownershipNotOffered'] },
  ),
  listOwnPaymentMethods: read(
    { ...signedIn, asksProvider: true },
    'Lists the cards that the caller added, including those in projects that they have left.',
    { answer: { paymentMethods: z.array(ownPaymentMethod) } },
  ),
  deleteOwnPaymentMethod: external(
    signedIn,
    'Removes a card that the caller added, unless they own the project and pay with it.',
    {
      input: { subscriptionId, paymentMethodId },
      refusals: ['defaultPaymentMethod', 'billingBusy', ...fromProvider],
    },
  ),
} as const satisfies Record<string, CallRow>
