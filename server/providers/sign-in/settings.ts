import { StartError } from '../../platform/start-error.ts'
import { isSafe } from './client.ts'
import type { SignInModule } from './sign-in-provider.ts'

export type Settings = Record<string, string>

/** Reads variables like `OKTA_CLIENT_ID`. Undefined if none is set. Throws if only some are. */
export function readSettings(
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
