import { openIdIssuers, signInProviders } from '#config/sign-in-providers.ts'
import type { CustomFetch } from 'openid-client'
import type { Logger } from 'pino'
import { unobserved, type Observer } from '../../observe/observer.ts'
import { StartError } from '../../platform/start-error.ts'
import { watchedFetch } from '../watched-fetch.ts'
import { isSafe, secretAsSupported } from './client.ts'
import { openOidc } from './oidc.ts'
import type { SignInModule, SignInProvider } from './sign-in-provider.ts'

export type SignInProviders = ReadonlyMap<string, SignInProvider>
export type SignInSettings = Record<string, Settings | undefined>
type Settings = Record<string, string>
type Offered = {
  settings: SignInSettings
  /** A provider that is not named here, such as a company's own issuer, is enabled. */
  enabled: Record<string, { enabled: boolean }>
  publicUrl: string
  observer?: Observer
}

const company: SignInModule<'issuer' | 'clientId' | 'clientSecret'> = {
  settings: ['issuer', 'clientId', 'clientSecret'],
  optional: ['name'],
  open: (client) =>
    openOidc(client, {
      label: client.name ?? new URL(client.issuer).host,
      issuer: client.issuer,
      clientAuth: secretAsSupported(client.clientSecret),
    }),
}

/** In the order of the sign-in screen. Addresses, links and variables use the same names. */
const modules = new Map<string, SignInModule>()
const brands = Object.keys(signInProviders).map(async (name) => {
  const { provider } = (await import(`./brands/${name}.ts`)) as { provider?: SignInModule }
  if (!provider)
    throw new Error(`server/providers/sign-in/brands/${name}.ts must export "provider".`)
  return [name, provider] as const
})
for (const [name, provider] of await Promise.all(brands)) modules.set(name, provider)
for (const name of openIdIssuers) modules.set(name, company as SignInModule)

/** Reads the settings of all providers, enabled or not. Undefined if there are none. */
export function signInSettings(environment: Record<string, string | undefined>): SignInSettings {
  return Object.fromEntries(
    Array.from(modules, ([name, module]) => [name, readSettings(name, module, environment)]),
  )
}

/** Reads variables like `OKTA_CLIENT_ID`. Undefined if none is set. Throws if only some are. */
function readSettings(
  provider: string,
  module: SignInModule,
  environment: Record<string, string | undefined>,
): Settings | undefined {
  const needed: readonly string[] = module.settings
  const variable = (setting: string) =>
    `${provider}_${setting.replace(/[A-Z]/g, '_$&')}`.toUpperCase().replaceAll('-', '_')

  const settings: Settings = {}
  for (const setting of [...needed, ...(module.optional ?? []), 'issuer']) {
    const value = environment[variable(setting)]?.trim()
    if (value) settings[setting] = value
  }
  const given = needed.filter((setting) => setting in settings)
  if (given.length === 0) return undefined
  if (given.length < needed.length)
    throw new StartError(
      `${needed
        .map(variable)
        .join(', ')
        .replace(/, (\w+)$/, ' and $1')} belong together. Set all of them, or none.`,
    )
  const { issuer } = settings
  if (issuer !== undefined) {
    if (!isSafe(issuer))
      throw new StartError(
        `${variable('issuer')} must be an address like https://login.example.com. Correct it in the environment and start again.`,
      )
    // The library appends paths to an issuer without a path, so a final slash is removed.
    settings['issuer'] = issuer.replace(/^(\w+:\/\/[^/]+)\/$/, '$1')
  }
  module.check?.(settings)
  return settings
}

/** Logs which providers people can't use now. They may become usable later. */
export async function checkSignInProviders(providers: SignInProviders, log: Logger) {
  const checks = Array.from(providers, async ([provider, opened]) =>
    opened
      .check?.()
      .catch((err: unknown) =>
        log.warn({ provider, err }, 'a sign-in provider can not be used: see its address'),
      ),
  )
  await Promise.all(checks)
}

export function openSignInProviders({
  settings,
  enabled,
  publicUrl,
  observer = unobserved,
}: Offered): SignInProviders {
  const providers = new Map<string, SignInProvider>()
  for (const [name, module] of modules) {
    if (enabled[name]?.enabled === false || !settings[name]) continue
    const redirectUri = `${publicUrl}/auth/provider/${name}/callback`
    const fetch = watchedFetch(name, observer) as CustomFetch
    providers.set(name, module.open({ ...settings[name], redirectUri, fetch }))
  }
  return providers
}
