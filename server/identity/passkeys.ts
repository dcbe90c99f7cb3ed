import { product } from '#config/product.ts'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { PasskeyPlace } from '../core/passkey-place.ts'
import type { CurrentUser, Services } from '../core/services.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Factor } from '../store/factors.ts'

/** Loaded with the first passkey, because it takes much memory. */
const load = () => import('@simplewebauthn/server')

/** A browser's answer, whose fields nobody has checked. */
export type Credential = { id: string; response: { clientDataJSON: string } }

/** EdDSA, ES256 and RS256, by their numbers in COSE. The default includes what Node has on trial. */
const supportedAlgorithmIDs = [-8, -7, -257]

export function requirePasskeys({ passkeys, identity }: Services) {
  if (!passkeys || !identity.offersFactors) throw new Refusal('auth/factor-not-offered')
  return passkeys
}

export async function creationOptions(
  user: CurrentUser,
  challenge: string,
  factors: Factor[],
  services: Services,
) {
  const { rpId } = requirePasskeys(services)
  const { generateRegistrationOptions } = await load()
  return generateRegistrationOptions({
    rpName: product.name,
    rpID: rpId,
    userID: new TextEncoder().encode(user.uid),
    userName: user.email,
    userDisplayName: user.displayName,
    challenge: bytesOf(challenge),
    excludeCredentials: allowed(factors, rpId),
    supportedAlgorithmIDs,
    // The sign-in screen doesn't know whose passkey to ask for.
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
  })
}

/** The question for anybody's passkey, or for one of these factors. */
export async function requestOptions(
  challenge: string,
  { rpId }: PasskeyPlace,
  factors: Factor[] = [],
) {
  const { generateAuthenticationOptions } = await load()
  return generateAuthenticationOptions({
    rpID: rpId,
    challenge: bytesOf(challenge),
    allowCredentials: allowed(factors, rpId),
    userVerification: 'preferred',
  })
}

function allowed(factors: Factor[], rpId: string) {
  return factors.flatMap((factor) =>
    factor.credentialId !== null && factor.rpId === rpId
      ? [{ id: factor.credentialId, transports: factor.transports ?? [] }]
      : [],
  )
}

/** What is kept of a new passkey. Refuses one that an account has already. */
export async function acceptPasskey(credential: Credential, challenge: string, services: Services) {
  const { rpId, origin } = requirePasskeys(services)
  const { verifyRegistrationResponse } = await load()
  const { registrationInfo: made } = await judged(() =>
    verifyRegistrationResponse({
      response: credential as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: false,
      supportedAlgorithmIDs,
    }),
  )
  const { id: credentialId, publicKey, counter, transports } = made!.credential
  if (await services.store.factors.findPasskey(credentialId))
    throw new Refusal('auth/passkey-already-added')
  return {
    credentialId,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    rpId,
    counter,
    transports: transports?.filter((name) => /^[\w-]{1,20}$/.test(name)).slice(0, 10) ?? null,
    isSynced: made!.credentialDeviceType === 'multiDevice',
  }
}

/** Finds the passkey that answers a challenge, and its user. */
export async function findAnswering({ id }: Credential, { store }: Services) {
  const found = await store.factors.findPasskey(id)
  if (!found) throw new Refusal('auth/passkey-not-found')
  return found
}

/**
 * Uses a passkey of a user. Returns whether it has verified its person, by a finger or a PIN: it is
 * then both factors. Runs in the transaction of what comes after it.
 */
export async function usePasskey(
  userId: string,
  credential: Credential,
  challenge: string,
  services: Services,
) {
  const { rpId, origin } = requirePasskeys(services)
  const { factor, user } = await findAnswering(credential, services)
  if (user.id !== userId) throw notAccepted()
  const { verifyAuthenticationResponse } = await load()
  const { authenticationInfo: used } = await judged(() =>
    verifyAuthenticationResponse({
      response: credential as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      credential: {
        id: factor.credentialId!,
        publicKey: bytesOf(factor.publicKey!),
        // The devices that share a passkey don't share a count.
        counter: factor.isSynced ? 0 : factor.counter!,
      },
      requireUserVerification: false,
    }),
  )
  const use = { id: factor.id, counter: used.newCounter, now: services.now() }
  if (!(await services.store.factors.usePasskey(use))) throw notAccepted()
  return used.userVerified
}

/** The challenge that a browser says that it answers. */
export function challengeOf({ response }: Credential) {
  try {
    const text = Buffer.from(response.clientDataJSON, 'base64url').toString()
    const { challenge } = JSON.parse(text) as { challenge?: unknown }
    if (typeof challenge === 'string') return challenge
  } catch {
    // The refusal says it.
  }
  throw notAccepted()
}

/** The library throws at whatever does not hold. */
async function judged<Found extends { verified: boolean }>(judge: () => Promise<Found>) {
  const found = await judge().catch(() => undefined)
  if (!found?.verified) throw notAccepted()
  return found
}

function notAccepted() {
  return new Refusal('auth/passkey-not-accepted')
}

function bytesOf(base64url: string) {
  return Uint8Array.from(Buffer.from(base64url, 'base64url'))
}
