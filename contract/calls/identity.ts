import { limits } from '#config/limits.ts'
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import * as z from 'zod/mini'
import {
  accessToken,
  authUser,
  factor,
  openedSubscription,
  session,
  verifiedAccount,
  type ActionCodeMode,
} from '../entities.ts'
import {
  code,
  credential,
  email,
  epochSeconds,
  factorName,
  field,
  id,
  language,
  newPassword,
  oneTimeCode,
  password,
  personName,
  recoveryCode,
  subscriptionId,
  timestamp,
} from '../fields.ts'
import { anyone, external, read, signedIn, thisSession, write, type CallRow } from '../rows.ts'
import { isTrue, ofInvite } from './parts.ts'

const oobCode = field('The `oobCode` of a mailed link.', code)
const provider = field('The name of the sign-in provider, such as `google`.', code)
const newSession = {
  user: authUser,
  token: field('The access token, for `Authorization: Bearer`.', z.string()),
  expiresIn: field('In how many seconds the token expires.', z.int()),
}
/** One of them passes a second step. */
const secondStep = {
  code: field('Of an app for one-time codes.', z.optional(oneTimeCode)),
  recoveryCode: field('One of the recovery codes, which it uses up.', z.optional(recoveryCode)),
  credential: field('The answer of the browser about a passkey, as JSON.', z.optional(credential)),
}
const ofSecondStep = [
  'auth/resolver-expired',
  'auth/invalid-verification-code',
  'auth/passkey-not-accepted',
  'auth/passkey-not-found',
]
const ofLink = ['auth/invalid-action-code', 'auth/expired-action-code']
/** Of calls that judge the project themselves, if one is named. */
const ofProject = ['subscriptionNotFound', 'accessDenied', 'factorRequired', 'adminOnly']
const ofNewSession = ['auth/invalid-credential', 'auth/user-disabled']
const options = <Options extends object>() =>
  z.record(z.string(), z.unknown()) as unknown as z.ZodMiniType<Options>

export const ofIdentity = {
  signUp: external(anyone, 'Makes an account and signs its person in.', {
    input: {
      fullName: personName,
      email,
      password: newPassword,
      language: z.optional(language),
      inviteCode: field(
        'The code in the link of an open invitation. It proves the address that it was mailed to, so the new address counts as verified. Any other code is refused.',
        z.optional(code),
      ),
    },
    answer: newSession,
    refusals: ['auth/email-already-in-use', ...ofInvite, ...ofNewSession],
  }),
  signIn: external(
    anyone,
    'Signs a person in. Refuses one whose second step is on with `auth/multi-factor-auth-required`, whose details have the `resolver` for `finishSignIn`, the `types` of factors that pass it, and for passkeys the `options` of the question to the browser.',
    {
      input: { email, password },
      answer: newSession,
      refusals: ['auth/multi-factor-auth-required', ...ofNewSession],
    },
  ),
  finishSignIn: external(
    anyone,
    'Signs a person in by the second step, in the browser that passed the first one. After `startPasskeySignIn`, a passkey signs in.',
    {
      input: {
        resolver: field('From the refusal of `signIn`, or from `startPasskeySignIn`.', code),
        ...secondStep,
        rememberBrowser: field(
          'The browser is not asked for a second step again for a while.',
          z.optional(z.boolean()),
        ),
      },
      answer: newSession,
      refusals: [...ofSecondStep, ...ofNewSession, 'userNotFound'],
    },
  ),
  refreshSession: external(
    anyone,
    'Exchanges the refresh token of the browser, a cookie, for a new access token.',
    {
      input: {
        subscriptionId: field('A project to answer with, too.', z.optional(subscriptionId)),
      },
      answer: {
        ...newSession,
        subscription: field(
          'The named project, if the user is a member. Else it is missing.',
          z.optional(openedSubscription),
        ),
      },
      refusals: ['notSignedIn', 'sessionEnded', 'auth/user-disabled'],
    },
  ),
  signOut: write(thisSession, 'Ends the session that makes the call.'),
  sendVerificationEmail: write(signedIn, 'Mails a link that verifies the address of the caller.', {
    refusals: ['alreadyVerified'],
  }),
  sendPasswordResetEmail: external(
    anyone,
    'Mails a link that sets a new password. The answer is the same if nobody has the address.',
    { input: { email } },
  ),
  checkActionCode: read(anyone, 'Says what a mailed link would do, and does nothing.', {
    input: { oobCode },
    answer: {
      mode: field(
        'What it does.',
        z.enum(Object.keys(limits.actionCodes) as [ActionCodeMode, ...ActionCodeMode[]]),
      ),
      email: field('The address of the account.', z.string()),
      newEmail: field('The address that it would get.', z.optional(z.string())),
      providers: field(
        'For a password reset: the sign-in providers that were linked after the address was verified.',
        z.optional(z.array(z.string())),
      ),
      addressChanged: field(
        'When the account got its address, if the former one may still take it back.',
        z.optional(timestamp),
      ),
    },
    refusals: ofLink,
  }),
  applyActionCode: write(
    anyone,
    'Does what a mailed link is for. Later uses of a link that verifies are refused with the same `account`, unless its user, signed in, claims the account by it.',
    {
      input: { oobCode },
      answer: {
        account: field('Its address is verified.', z.optional(verifiedAccount)),
        unlinked: field(
          'The sign-in providers that the call unlinked from the account.',
          z.optional(z.array(z.string())),
        ),
      },
      refusals: [...ofLink, 'auth/email-already-in-use'],
    },
  ),
  claimAccount: external(
    anyone,
    'Claims an account by a verification link, used or not, that was mailed to its address: with the password or a session of the account nothing ends, with a new password all former access does.',
    {
      input: {
        oobCode,
        password: z.optional(password),
        newPassword: z.optional(newPassword),
      },
      answer: newSession,
      refusals: [...ofLink, ...ofNewSession, 'auth/multi-factor-auth-required'],
    },
  ),
  rejectVerification: write(
    anyone,
    'Ends all access to an account that somebody else created with the address of the recipient of a link, and deletes it a day later unless somebody claims it. An account that had another address goes back to that. Refuses once the account is claimed.',
    {
      input: { oobCode },
      answer: { returned: field('The account went back to its former address.', isTrue) },
      refusals: [...ofLink, 'ownsActiveProjects'],
    },
  ),
  startPasskeySignIn: external(
    anyone,
    'Makes a challenge for a passkey, of whomever: for `finishSignIn` or `reauthenticate`.',
    {
      answer: {
        resolver: field('For the call that ends it.', z.string()),
        options: field(
          'The question to the browser.',
          options<PublicKeyCredentialRequestOptionsJSON>(),
        ),
      },
      refusals: ['auth/factor-not-offered'],
    },
  ),
  reauthenticate: external(
    { ...thisSession, secret: true },
    'Makes the sign-in of this session a recent one. A passkey that has verified its person is enough. A person whose second step is on needs both; without the password, the step follows a sign-in that is recent, as one at a provider.',
    {
      input: { password: z.optional(password), ...secondStep },
      refusals: [
        ...ofSecondStep,
        'auth/wrong-password',
        'auth/multi-factor-auth-required',
        'auth/requires-recent-login',
      ],
    },
  ),
  listFactors: read(signedIn, 'Lists what the caller signs in with besides a password.', {
    answer: {
      factors: z.array(factor),
      recovery_codes_left: field('How many are not used yet.', z.int()),
    },
  }),
  startFactorEnrollment: write({ ...thisSession, secret: true }, 'Begins to add a factor.', {
    input: {
      type: field('An app for one-time codes, or a passkey.', z.enum(['totp', 'passkey'])),
      displayName: z.optional(factorName),
    },
    answer: {
      enrollmentId: field('For `finishFactorEnrollment`.', z.string()),
      secret: field('Of an app: the secret, in base32.', z.optional(z.string())),
      uri: field(
        'Of an app: what a QR code shows, with the secret and the names of the account.',
        z.optional(z.string()),
      ),
      options: field(
        'Of a passkey: the question to the browser.',
        z.optional(options<PublicKeyCredentialCreationOptionsJSON>()),
      ),
    },
    refusals: [
      'auth/requires-recent-login',
      'claimRequired',
      'auth/factor-not-offered',
      'auth/too-many-factors',
    ],
  }),
  finishFactorEnrollment: write({ ...thisSession, secret: true }, 'Adds a factor.', {
    input: {
      enrollmentId: field('From `startFactorEnrollment`.', code),
      code: secondStep.code,
      credential: secondStep.credential,
    },
    answer: {
      factor,
      recoveryCodes: field(
        'With the factor that turns the second step on. They are shown once.',
        z.optional(z.array(z.string())),
      ),
    },
    refusals: [
      'auth/requires-recent-login',
      'claimRequired',
      'auth/enrollment-expired',
      'auth/invalid-verification-code',
      'auth/passkey-not-accepted',
      'auth/passkey-already-added',
      'auth/factor-not-offered',
      'auth/too-many-factors',
    ],
  }),
  renewRecoveryCodes: write(
    { ...thisSession, secret: true },
    'Makes new recovery codes; the former ones end.',
    {
      answer: { recoveryCodes: field('They are shown once.', z.array(z.string())) },
      refusals: ['auth/requires-recent-login', 'auth/second-step-off'],
    },
  ),
  renameFactor: write(thisSession, 'Changes the name of a factor.', {
    input: { factorId: field('The id of the factor.', id), displayName: factorName },
    refusals: ['auth/requires-recent-login', 'auth/factor-not-found'],
  }),
  removeFactor: write(thisSession, 'Removes a factor. The last one turns the second step off.', {
    input: { factorId: field('The id of the factor.', id) },
    refusals: ['auth/requires-recent-login', 'auth/factor-not-found'],
  }),
  updateEmail: external(
    signedIn,
    'Mails a link to a new address, which then becomes the one to sign in with.',
    {
      input: { newEmail: email },
      refusals: [
        'auth/requires-recent-login',
        'auth/operation-not-allowed',
        'auth/email-already-in-use',
      ],
    },
  ),
  correctEmail: external(
    signedIn,
    'Replaces the address of an account that nobody has claimed, as one with a mistake.',
    {
      input: { email },
      refusals: [
        'auth/requires-recent-login',
        'alreadyVerified',
        'emailUnchanged',
        'auth/email-already-in-use',
      ],
    },
  ),
  updatePassword: external(
    { ...thisSession, secret: true },
    'Sets the password, and ends all other sessions.',
    { input: { newPassword }, refusals: ['auth/requires-recent-login'] },
  ),
  deleteAccount: external(thisSession, 'Deletes the account of the caller.', {
    input: { confirmationId: field('The id of the account, as its person has typed it.', id) },
    refusals: [
      'auth/requires-recent-login',
      'confirmationMismatch',
      'ownsActiveProjects',
      'billingBusy',
    ],
  }),
  listSessions: read(signedIn, 'Lists where the caller is signed in.', {
    answer: { sessions: z.array(session) },
  }),
  revokeSession: write(thisSession, 'Ends a session of the caller.', {
    input: { sessionId: field('The id of the session.', id) },
    refusals: ['sessionNotFound'],
  }),
  revokeOtherSessions: write(thisSession, 'Ends every session of the caller but this one.'),
  listAccessTokens: read(
    signedIn,
    'Lists the access tokens of the caller, or all that are for one project to its administrators. Those that have expired are listed for a month.',
    {
      input: { subscriptionId: z.optional(subscriptionId) },
      answer: { accessTokens: z.array(accessToken) },
      refusals: ofProject,
    },
  ),
  createAccessToken: write(
    { ...thisSession, secret: true },
    'Makes an access token, which programs send as `Authorization: Bearer`.',
    {
      input: {
        name: field('What its maker calls it.', factorName),
        subscriptionId: field(
          'The one project that it is for, of which the caller is an administrator.',
          z.optional(subscriptionId),
        ),
        access: accessToken.def.shape.access,
        expires: field(
          'When it ends: in 90 days if left out, and in a year at most.',
          z.optional(epochSeconds),
        ),
      },
      answer: { token: field('It is shown once.', z.string()), accessToken },
      refusals: [
        'auth/requires-recent-login',
        'tooManyAccessTokens',
        ...ofProject,
        'subscriptionCanceled',
        'lookOnly',
      ],
    },
  ),
  revokeAccessToken: write(
    thisSession,
    'Ends an access token of the caller, or of a project of which the caller is an administrator.',
    {
      input: { accessTokenId: field('The id of the token.', id) },
      refusals: ['accessTokenNotFound'],
    },
  ),
  startProviderFlow: external(
    { ...signedIn, secret: true },
    'Begins to link a sign-in provider, or to sign in again at one. Only the browser that makes this call can finish there.',
    {
      input: {
        provider,
        intent: field('What for.', z.enum(['link', 'reauthenticate'])),
        language: z.optional(language),
      },
      answer: { url: field('The page of the provider.', z.string()) },
      refusals: [
        'auth/requires-recent-login',
        'auth/unknown-provider',
        'auth/provider-failed',
        'emailNotVerified',
        'claimRequired',
      ],
    },
  ),
  unlinkProvider: write(thisSession, 'Unlinks a sign-in provider.', {
    input: { provider },
    refusals: ['auth/no-such-provider', 'auth/last-credential'],
  }),
  confirmPasswordReset: external(
    anyone,
    'Sets a new password by a mailed link, which claims the account: an unclaimed one loses all former access. A person whose second step is on passes it: with a passkey, by the `resolver` of the refusal.',
    {
      input: {
        oobCode,
        newPassword,
        resolver: field('From the refusal, with a passkey.', z.optional(code)),
        ...secondStep,
        unlinkProviders: field(
          'A claimed account loses its sign-in providers.',
          z.optional(z.boolean()),
        ),
        wasMine: field(
          'While a former address may take the account back, false gives it back, and the password belongs to a new account with the address.',
          z.optional(z.boolean()),
        ),
      },
      refusals: [
        ...ofLink,
        ...ofSecondStep,
        'auth/multi-factor-auth-required',
        'auth/email-already-in-use',
      ],
    },
  ),
} as const satisfies Record<string, CallRow>
