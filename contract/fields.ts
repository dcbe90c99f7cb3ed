import { limits } from '#config/limits.ts'
import { languages, type LanguageCode } from '#config/languages.ts'
import { permissions, type PermissionKey } from '#config/permissions.ts'
import * as z from 'zod/mini'
import { countries, withoutPostalCode, withState } from './address.ts'
import { mailAddress, tidyAddress } from './mail-address.ts'
import { hasProductName, isNameAllowed, isPayerNameAllowed } from './names.ts'
import { chosenKinds, type ChosenKind } from './notices.ts'
import type { CoreReason } from './core-refusals.ts'
import { plainTaxId, taxIdTypes, tidyTaxId } from './tax-ids.ts'

/** A field with the sentence that /openapi.json says about it. */
export function field<Schema extends z.ZodMiniType>(sentence: string, schema: Schema) {
  return schema.check(z.describe(sentence))
}

/** An object with the sentence that /openapi.json says about it. */
export function object<Shape extends z.core.$ZodShape>(sentence: string, shape: Shape) {
  return field(sentence, z.strictObject(shape))
}

/** Makes a field's error the reason that the server refuses the call with. */
function because(reason: CoreReason) {
  return { error: reason }
}

const incomplete = because('addressIncomplete')
/** Gives the reason only if the value is missing; other errors keep zod's message. */
const missing = {
  error: ({ code }: { code?: string | undefined }) =>
    code === 'invalid_type' ? incomplete.error : undefined,
}

/** Refuses control characters and those that turn text round: they deceive in mails and terminals. */
export const oneLine = z.regex(/^[^\p{Cc}\u202A-\u202E\u2066-\u2069]*$/u)

/** Like `oneLine`, but accepts line breaks and tabs. */
export const severalLines = z.regex(/^(?:[^\p{Cc}\u202A-\u202E\u2066-\u2069]|[\t\n\r])*$/u)

const required = z
  .string(missing)
  .check(z.trim(), z.minLength(1, incomplete), z.maxLength(200), oneLine)

export const id = z.string().check(z.minLength(1), z.maxLength(64), oneLine)

export const subscriptionId = field(
  'The id of the project.',
  z
    .string({
      error: ({ input }) =>
        input === undefined ? ('noSubscriptionId' satisfies CoreReason) : undefined,
    })
    .check(z.minLength(1, because('noSubscriptionId')), z.maxLength(64), oneLine),
)

/** Addresses that differ only in their spelling belong to one person. */
export const email = field(
  'An e-mail address. Capitals become small letters, and spaces around it go.',
  z
    .string(because('auth/invalid-email'))
    .check(
      z.overwrite(tidyAddress),
      z.email({ pattern: mailAddress, ...because('auth/invalid-email') }),
    ),
)

/** `details.requirement` of a refusal with `auth/password-does-not-meet-requirements`. */
export type PasswordRequirement = 'length' | 'common' | 'address' | 'product' | 'breached'

/**
 * A password to sign in with. Only new passwords must meet the requirements. It may hold every
 * character, because nobody ever sees it.
 */
export const password = field(
  'The present password.',
  z.string().check(z.minLength(1), z.maxLength(limits.passwords.maxLength)),
)

const { minLength, maxLength } = limits.passwords

/** Checks only the length. The server checks the other requirements. */
export const newPassword = z.string().check(
  z.refine(({ length }) => length >= minLength && length <= maxLength, {
    ...because('auth/password-does-not-meet-requirements'),
    params: { requirement: 'length' satisfies PasswordRequirement },
  }),
  z.meta({
    description: 'A new password. `details.requirement` of a refusal says what it lacks.',
    minLength,
    maxLength,
  }),
)

export const allowedName = z.refine<string>(isNameAllowed, because('nameNotAllowed'))

const notOfProduct = z.refine<string>((name) => !hasProductName(name), because('nameOfProduct'))

export const personName = field(
  'A name of a person, without web addresses and without the name of the product.',
  z.string().check(z.trim(), z.minLength(1), z.maxLength(100), oneLine, allowedName, notOfProduct),
)

/** A project's name as its creator gives it. Later it is one of the settings. */
export const newProjectName = z.optional(
  z.string().check(z.trim(), z.minLength(1), z.maxLength(100), oneLine, allowedName),
)

const base64url = z.string().check(z.regex(/^[\w-]+$/))

/** A browser's answer about a passkey, as JSON. Browsers add fields that nobody here knows. */
export const credential = z.looseObject({
  id: field('The id of the passkey.', base64url.check(z.maxLength(1400))),
  response: field(
    'What the passkey says.',
    z.looseObject({ clientDataJSON: field('What the browser says.', base64url) }),
  ),
})

/** What its person calls a factor. */
export const factorName = field(
  'What its person calls it.',
  z.string().check(z.trim(), z.minLength(1), z.maxLength(50), oneLine),
)

export const code = z.string().check(z.minLength(1), z.maxLength(200), oneLine)

/** Of an app, which may show it in groups. */
export const oneTimeCode = z.string().check(
  z.overwrite((code) => code.replaceAll(/\s/g, '')),
  z.regex(/^\d{6}$/),
  z.meta({ pattern: String.raw`^\s*(?:\d\s*){6}$` }),
)

/** People type it in any case, with or without the hyphens. */
export const recoveryCode = z.string().check(
  z.overwrite((code) => code.replaceAll(/[\s-]/g, '').toLowerCase()),
  z.regex(/^[a-z2-7]{24}$/),
  z.meta({ pattern: String.raw`^[\s-]*(?:[A-Za-z2-7][\s-]*){24}$` }),
)

export const language = field(
  'A language of the app.',
  z.enum(Object.keys(languages) as [LanguageCode, ...LanguageCode[]]),
)

export const permissionKeys = field(
  'The permissions; the default one may be left out.',
  z
    .array(
      z.enum(
        Object.keys(permissions) as [PermissionKey, ...PermissionKey[]],
        because('unknownPermission'),
      ),
    )
    .check(z.maxLength(Object.keys(permissions).length)),
)

const pageNumber = z.int().check(z.minimum(1), z.maximum(limits.pages.last))
export const page = field('The number of the page.', z._default(pageNumber, 1))
/** Without a page number, a call may answer with all rows at once. */
export const optionalPage = field(
  'The number of the page. Left out, all rows are on one.',
  z.optional(pageNumber),
)

/** Until the end of the year 9999. */
export const epochSeconds = z.int().check(z.minimum(0), z.maximum(253_402_300_799))

/** With milliseconds, in UTC. */
export const timestamp = z.iso.datetime()

export const search = field(
  'A part of a name or an e-mail address. Empty, it finds everything.',
  z.optional(z.string().check(z.trim(), z.maxLength(100), oneLine)),
)

export const pageSize = field(
  'How many rows a page has.',
  z._default(z.union(limits.pages.sizes.map((size) => z.literal(size))), limits.pages.defaultSize),
)

/** The input of a call that answers with one page of a list and its `total`. */
export const paged = { page, pageSize }
export const total = field('How many there are on all pages.', z.int().check(z.minimum(0)))

const ofAddress = {
  line1: field('The street and number.', required),
  line2: field('Further lines.', z.optional(z.string().check(z.trim(), z.maxLength(200), oneLine))),
  city: field('The city or town.', required),
  state: field(
    'The state or province; empty where addresses have none.',
    z.string(missing).check(z.trim(), z.maxLength(200), oneLine),
  ),
  postal_code: field(
    'The postal code; empty where addresses have none.',
    z.string(missing).check(z.trim(), z.maxLength(20), oneLine),
  ),
  country: field('ISO 3166-1: two capital letters.', z.enum(countries, incomplete)),
}

export const address = field('The address of the payer.', z.strictObject(ofAddress, missing)).check(
  z.refine(({ country, state }) => state !== '' || !withState.has(country), {
    path: ['state'],
    ...incomplete,
  }),
  z.refine(({ country, postal_code }) => postal_code !== '' || withoutPostalCode.has(country), {
    path: ['postal_code'],
    ...incomplete,
  }),
)

/** The payment provider accepts no longer fields: a phone number has at most 20 characters. */
export const billingDetails = {
  name: field(
    'The name of the payer.',
    required.check(z.refine(isPayerNameAllowed, because('nameNotAllowed'))),
  ),
  phone: field(
    'The telephone number of the payer.',
    z
      .string(missing)
      .check(z.trim(), z.minLength(1, incomplete), z.minLength(3), z.maxLength(20), oneLine),
  ),
  address,
}

/** A missing or empty `state` or `postal_code` is not known yet. */
export const payerPlace = z.strictObject({
  country: field('ISO 3166-1: two capital letters.', z.enum(countries)),
  state: field('The state or province, if known.', z.optional(upTo(200).check(oneLine))),
  postal_code: field('The postal code, if known.', z.optional(upTo(20).check(oneLine))),
})

export const taxId = object('The tax id of the payer.', {
  type: field('The kind, such as `eu_vat`.', z.enum(taxIdTypes)),
  value: field(
    'The number.',
    z
      .string()
      .check(
        z.overwrite(plainTaxId),
        z.minLength(1),
        z.maxLength(40),
        z.regex(/^[\p{L}\p{N} ./-]+$/u),
        z.meta({ pattern: String.raw`^[^\u0000-\u001F]+$` }),
      ),
  ),
}).check(z.overwrite(tidyTaxId))

function upTo(most: number) {
  return z.string().check(z.trim(), z.maxLength(most))
}

/** What a payer wants on invoices. */
export const onInvoices = {
  purchase_order: field(
    'The number of the order, which later invoices show; null removes it.',
    z.optional(z.nullable(upTo(140).check(oneLine))),
  ),
  invoice_footer: field(
    'A text for the foot of later invoices; null removes it.',
    z.optional(z.nullable(upTo(500).check(severalLines))),
  ),
}

export const price = field(
  'A way in which the plan is sold. Left out, it is the first one.',
  z.optional(
    z.strictObject({
      frequency: field('The unit of the interval.', z.enum(['day', 'week', 'month', 'year'])),
      every: field(
        'How many of these units an interval has.',
        z._default(z.int().check(z.minimum(1), z.maximum(1095)), 1),
      ),
      currency: field(
        'ISO 4217, lower case. Left out, it is that of the project, or the first of the plan.',
        z.optional(z.string().check(z.regex(/^[a-z]{3}$/))),
      ),
    }),
  ),
)

export const promotionCode = field(
  'Of a purchase, or of a change from a free plan to a paid one.',
  z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(100), oneLine)),
)

export const trial = field(
  'Whether to begin with the trial of the plan: true refuses with `trialUsed` if there is none left, false pays at once. Left out, it begins with one if there is one left, as the preview says.',
  z.optional(z.boolean()),
)

export const billingInfo = z.strictObject({
  billingDetails: object('Who pays.', billingDetails),
  paymentMethodId: field(
    'The card. Only a trial of a plan with `card: later` begins without one.',
    z.optional(id),
  ),
  tax_id: z.optional(taxId),
})

/** A field for each kind of notice that people choose about. */
export function ofKinds<Schema extends z.ZodMiniType>(schema: Schema) {
  return Object.fromEntries(chosenKinds.map((kind) => [kind, schema])) as Record<ChosenKind, Schema>
}

export const notices = z.strictObject(
  ofKinds(field('Whether the user wants this mail.', z.optional(z.boolean()))),
)

export const noticeWays = z.strictObject(
  ofKinds(
    z.optional(
      object('How the user is told. What is left out stays.', {
        app: field('In the app.', z.optional(z.boolean())),
        digest: field('In a mail once a day, in place of one at once.', z.optional(z.boolean())),
      }),
    ),
  ),
)
