import { openIdIssuers } from '#config/sign-in-providers.ts'
import { createPrivateKey } from 'node:crypto'
import { StartError } from '../../platform/start-error.ts'
import { isSafe } from './transport.ts'

/** `issuer` stands in for the provider's public address: one organization's tenant, an own server, a stand-in. */
export type ClientSettings = { clientId: string; clientSecret: string; issuer?: string | undefined }
export type AppleSettings = {
  clientId: string
  teamId: string
  keyId: string
  privateKey: string
  issuer?: string | undefined
}
export type IssuerSettings = ClientSettings & { issuer: string; label: string }

export type SignInSettings = {
  google?: ClientSettings | undefined
  microsoft?: ClientSettings | undefined
  facebook?: ClientSettings | undefined
  apple?: AppleSettings | undefined
  github?: ClientSettings | undefined
  twitter?: ClientSettings | undefined
  yahoo?: ClientSettings | undefined
  /** Company sign-in, by name. */
  issuers: Record<string, IssuerSettings>
}

type Environment = Record<string, string | undefined>

/** Each provider's variables, all of them or none. */
export function signInSettings(environment: Environment): SignInSettings {
  return {
    google: clientSettings('GOOGLE', environment),
    microsoft: clientSettings('MICROSOFT', environment),
    facebook: clientSettings('FACEBOOK', environment),
    apple: appleSettings(environment),
    github: clientSettings('GITHUB', environment),
    twitter: clientSettings('TWITTER', environment),
    yahoo: clientSettings('YAHOO', environment),
    issuers: issuerSettings(environment),
  }
}

function clientSettings(prefix: string, environment: Environment): ClientSettings | undefined {
  const [clientId, clientSecret] = together(
    [`${prefix}_CLIENT_ID`, `${prefix}_CLIENT_SECRET`],
    environment,
  )
  if (!clientId || !clientSecret) return undefined
  return { clientId, clientSecret, issuer: address(`${prefix}_ISSUER`, environment) }
}

function appleSettings(environment: Environment): AppleSettings | undefined {
  const names = ['APPLE_CLIENT_ID', 'APPLE_TEAM_ID', 'APPLE_KEY_ID', 'APPLE_PRIVATE_KEY']
  const [clientId, teamId, keyId, key] = together(names, environment)
  if (!clientId || !teamId || !keyId || !key) return undefined
  return {
    clientId,
    teamId,
    keyId,
    privateKey: readKey(key),
    issuer: address('APPLE_ISSUER', environment),
  }
}

function issuerSettings(environment: Environment) {
  const settings: Record<string, IssuerSettings> = {}
  for (const name of openIdIssuers) {
    const prefix = name.toUpperCase().replaceAll('-', '_')
    const [, clientId, clientSecret] = together(
      [`${prefix}_ISSUER`, `${prefix}_CLIENT_ID`, `${prefix}_CLIENT_SECRET`],
      environment,
    )
    const issuer = address(`${prefix}_ISSUER`, environment)
    if (!issuer || !clientId || !clientSecret) continue
    settings[name] = {
      issuer,
      clientId,
      clientSecret,
      label: read(`${prefix}_NAME`, environment) ?? new URL(issuer).host,
    }
  }
  return settings
}

function together(names: string[], environment: Environment) {
  const values = names.map((name) => read(name, environment))
  if (values.some((value) => value) && !values.every((value) => value))
    throw new StartError(
      `${names.join(', ').replace(/, (\w+)$/, ' and $1')} belong together. Set all of them, or none.`,
    )
  return values
}

function address(name: string, environment: Environment) {
  const value = read(name, environment)?.replace(/^(\w+:\/\/[^/]+)\/$/, '$1')
  if (value !== undefined && !isSafe(value))
    throw new StartError(
      `${name} must be an address like https://login.example.com. Correct it in the environment and start again.`,
    )
  return value
}

/** A key is several lines, which not every environment can hold: `\n` stands for a line's end too. */
function readKey(text: string) {
  const key = text.replaceAll('\\n', '\n')
  try {
    if (createPrivateKey(key).asymmetricKeyDetails?.namedCurve === 'prime256v1') return key
  } catch {
    // Said below, without the key.
  }
  throw new StartError(
    'APPLE_PRIVATE_KEY must be the .p8 key that Apple gave you. Correct it in the environment and start again.',
  )
}

function read(name: string, environment: Environment) {
  return environment[name]?.trim() || undefined
}
