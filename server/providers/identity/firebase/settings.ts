import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { StartError } from '../../../platform/start-error.ts'

export type FirebaseSettings = {
  projectId: string
  apiKey: string
  /** The settings have either `serviceAccount` or `emulatorHost`. */
  serviceAccount?: ServiceAccount
  emulatorHost?: string
}

const text = (pattern: RegExp) => z.string().check(z.regex(pattern))

/** The environment variables, each with what it must be. */
export const firebaseVariables = {
  FIREBASE_PROJECT_ID: [z.optional(text(/^[\w.:-]+$/)), 'the id of a Firebase project'],
  FIREBASE_API_KEY: [z.optional(text(/^[\w-]+$/)), 'the web API key of a Firebase project'],
  FIREBASE_SERVICE_ACCOUNT: [
    z.optional(z.string()),
    'the JSON key of a service account, or a path to it',
  ],
  FIREBASE_AUTH_EMULATOR_HOST: [
    z.optional(text(/^[\w.-]+:\d+$/)),
    'a host and port like 127.0.0.1:9099',
  ],
} as const

type Read = (name: keyof typeof firebaseVariables) => string | undefined

export function firebaseSettings(read: Read): FirebaseSettings {
  const projectId = read('FIREBASE_PROJECT_ID')
  const apiKey = read('FIREBASE_API_KEY')
  const serviceAccount = read('FIREBASE_SERVICE_ACCOUNT')
  const emulatorHost = read('FIREBASE_AUTH_EMULATOR_HOST')
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
