import { settingsFields } from '#config/settings.ts'
import * as z from 'zod/mini'
import { fromProvider } from '../core-refusals.ts'
import {
  openedSubscription,
  planChangePreview,
  purchaseFound,
  subscriptionWithPeople,
} from '../entities.ts'
import { use } from '../entries.ts'
import {
  billingInfo,
  epochSeconds,
  field,
  id,
  newProjectName,
  optionalPage,
  pageSize,
  payerPlace,
  search,
  subscriptionId,
  timestamp,
  total,
} from '../fields.ts'
import {
  activeAdmin,
  activeOwner,
  external,
  member,
  owner,
  read,
  signedIn,
  write,
  type CallRow,
} from '../rows.ts'
import { settingsSchema } from '../settings.ts'
import { challenge, isTrue, ofBillingInfo, ofPurchase, wish } from './parts.ts'

export const ofSubscriptions = {
  listSubscriptions: read(
    signedIn,
    'Lists the projects of the caller. Canceled ones come last in every order. An access token for one project finds that project alone.',
    {
      input: {
        page: optionalPage,
        pageSize,
        search,
        sort: field(
          'The order. `needed`: those whose payment the caller can settle come first.',
          z._default(z.enum(['newest', 'name', 'needed']), 'newest'),
        ),
      },
      answer: { subscriptions: z.array(subscriptionWithPeople), total },
      tokens: 'read',
    },
  ),
  previewSubscription: read({ ...signedIn, asksProvider: true }, 'Says what a new project costs.', {
    input: {
      ...wish,
      address: field('The place of the payer, which the tax depends on.', z.optional(payerPlace)),
    },
    answer: { preview: planChangePreview },
    refusals: ofPurchase,
  }),
  createSubscription: external(
    signedIn,
    'Makes a project, and buys its plan unless that is free.',
    {
      input: {
        ...wish,
        name: field('What the project is called.', newProjectName),
        billingInfo: field('For a plan that costs something.', z.optional(billingInfo)),
        after: field(
          'The newest purchase that the buyer knows of. If there is a newer one that was paid, the answer is that one, and nothing is bought. Left out, nothing is looked for.',
          z.optional(z.nullable(id)),
        ),
      },
      answer: {
        subscriptionId: field('The id of the project.', z.string()),
        earlier: field('It was bought before: see `after`.', isTrue),
        ...challenge,
      },
      refusals: [...ofPurchase, ...ofBillingInfo, 'claimRequired', 'billingBusy', ...fromProvider],
    },
  ),
  findPurchase: external(
    signedIn,
    'Finds out what became of the newest purchase of the caller, if it had an `after` and its buyer has not acknowledged the outcome. Finishes or undoes the purchase for that.',
    {
      answer: {
        latest: field(
          'The newest that was acknowledged, for `after`; null if none was.',
          z.nullable(z.string()),
        ),
        purchase: field('Null if there is nothing to find.', z.nullable(purchaseFound)),
      },
      refusals: fromProvider,
    },
  ),
  acknowledgePurchase: write(owner, 'Says that the buyer has read that the purchase is paid.', {
    input: { subscriptionId },
  }),
  hideSubscription: write(
    member,
    'Puts a canceled project out of the sight of the caller, or shows it again.',
    {
      input: { subscriptionId, hidden: field('Whether it is hidden.', z.boolean()) },
      refusals: ['notCanceled'],
    },
  ),
  completePayment: external(
    signedIn,
    'Goes on after the buyer has confirmed a payment to the bank.',
    {
      input: { subscriptionId },
      answer: { processing: challenge.processing },
      refusals: [
        'subscriptionNotFound',
        'accessDenied',
        'factorRequired',
        'ownerOnly',
        'paymentIncomplete',
        ...fromProvider,
      ],
    },
  ),
  getSubscription: read(member, 'Reads a project.', {
    input: { subscriptionId },
    answer: { subscription: openedSubscription },
    tokens: 'read',
  }),
  getUsage: read(member, 'Says what a project uses of each limit of the modules that are on.', {
    input: { subscriptionId },
    answer: { usage: z.array(use) },
    tokens: 'read',
  }),
  updateSubscriptionSettings: write(
    activeAdmin,
    'Changes the settings of a project. Those that are left out become empty.',
    {
      input: {
        subscriptionId,
        settings: field('The settings by name.', settingsSchema(settingsFields)),
        ifUnchangedSince: field(
          'The `settings_changed` that the caller has seen. If they have changed since, the call is refused.',
          z.optional(timestamp),
        ),
      },
      refusals: ['settingsChanged'],
      tokens: 'write',
    },
  ),
  updateSubscriptionSecurity: write(
    activeOwner,
    'Says whether a project asks every session for a second step, and mails those who have no factor. For an owner whose session has passed one.',
    {
      input: {
        subscriptionId,
        requireSecondFactor: field('Whether it asks.', z.boolean()),
        from: field('From when on; in the past or left out, at once.', z.optional(epochSeconds)),
      },
      refusals: ['factorRequired', 'auth/factor-not-offered'],
    },
  ),
} as const satisfies Record<string, CallRow>
