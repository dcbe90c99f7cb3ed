import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { StartError } from '../../platform/start-error.ts'

export type FirebaseSettings = {
  projectId: string
  apiKey: string
  /** The settings have either `serviceAccount` or `emulatorHost`. */
  serviceAccount?: ServiceAccount
  emulatorHost?: string
}

/** `serviceAccount` is the JSON key that Google issues, or a path to its file. */
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

/** The fields that we read from Google's key file. */
const file = z.object({
  client_email: z.string().check(z.minLength(1)),
  private_key: z.string(),
  token_uri: z._default(z.url({ protocol: /^https$/ }), 'https://oauth2.googleapis.com/token'),
})
export type ServiceAccount = z.infer<typeof file>

function readServiceAccount(given: string): ServiceAccount {
  try {
    const text = given.startsWith('{') ? given : readFileSync(given, 'utf8')
    const account = file.parse(JSON.parse(text))
    if (createPrivateKey(account.private_key).asymmetricKeyType === 'rsa') return account
  } catch {
    // Drops the original error, which may contain the key.
  }
  throw new StartError(
    'FIREBASE_SERVICE_ACCOUNT must be the JSON key of a service account, or a path to it. Correct it in the environment and start again.',
  )
}
