import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { StartError } from '../../platform/start-error.ts'
import type { ServiceAccount } from './google-token.ts'

export type FirebaseSettings = {
  projectId: string
  apiKey: string
  /** One of these two. */
  serviceAccount?: ServiceAccount
  emulatorHost?: string
}

/** `serviceAccount` is the JSON key that Google hands out, or a path to it. */
export function firebaseSettings({
  projectId,
  apiKey,
  serviceAccount,
  emulatorHost,
}: Record<keyof FirebaseSettings, string | undefined>): FirebaseSettings {
  const missing = [
    !projectId && 'FIREBASE_PROJECT_ID',
    !apiKey && 'FIREBASE_API_KEY',
    !serviceAccount && !emulatorHost && 'FIREBASE_SERVICE_ACCOUNT',
  ].filter(Boolean)
  if (!projectId || !apiKey || missing.length > 0)
    throw new StartError(`IDENTITY=firebase also needs ${missing.join(' and ')}.`)
  if (emulatorHost) return { projectId, apiKey, emulatorHost }
  return { projectId, apiKey, serviceAccount: readServiceAccount(serviceAccount!) }
}

const file = z.object({
  client_email: z.string().check(z.minLength(1)),
  private_key: z.string().check(z.refine(isPrivateKey)),
  token_uri: z._default(
    z.string().check(z.refine((uri) => uri.startsWith('https://') && URL.canParse(uri))),
    'https://oauth2.googleapis.com/token',
  ),
})

function readServiceAccount(given: string): ServiceAccount {
  const { success, data } = file.safeParse(toJson(given))
  if (!success)
    throw new StartError(
      'FIREBASE_SERVICE_ACCOUNT must be the JSON key of a service account, or a path to it. Correct it in the environment and start again.',
    )
  return { clientEmail: data.client_email, privateKey: data.private_key, tokenUri: data.token_uri }
}

function toJson(given: string): unknown {
  try {
    return JSON.parse(given.startsWith('{') ? given : readFileSync(given, 'utf8'))
  } catch {
    return undefined
  }
}

function isPrivateKey(pem: string) {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa'
  } catch {
    return false
  }
}
