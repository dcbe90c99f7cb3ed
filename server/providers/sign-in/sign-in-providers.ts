import type { SignInProvider as SignInProviderName } from '#config/sign-in-providers.ts'
import { ClientSecretPost } from 'openid-client'
import { openApple } from './apple.ts'
import { secretAsSupported } from './client-auth.ts'
import { openFacebook } from './facebook.ts'
import { openGitHub } from './github.ts'
import { openMicrosoft } from './microsoft.ts'
import { openOidc } from './oidc.ts'
import type { ClientSettings, IssuerSettings, SignInSettings } from './settings.ts'
import type { SignInProvider } from './sign-in-provider.ts'
import { openTwitter } from './twitter.ts'

export type SignInProviders = ReadonlyMap<string, SignInProvider>
export type EnabledProviders = Record<SignInProviderName, { enabled: boolean }>
type Offered = { settings: SignInSettings; enabled: EnabledProviders; publicUrl: string }

/** Those that are both enabled and configured, by the name that they have in addresses and links, in the order of the sign-in screen. */
export function openSignInProviders({ settings, enabled, publicUrl }: Offered): SignInProviders {
  const providers = new Map<string, SignInProvider>()
  for (const name of Object.keys(open) as SignInProviderName[]) {
    if (enabled[name].enabled && settings[name])
      providers.set(name, open[name](settings, callbackOf(name, publicUrl)))
  }
  for (const [name, issuer] of Object.entries(settings.issuers))
    providers.set(name, openIssuer(issuer, callbackOf(name, publicUrl)))
  return providers
}

const open: Record<
  SignInProviderName,
  (settings: SignInSettings, redirectUri: string) => SignInProvider
> = {
  google: ({ google }, redirectUri) => openGoogle(google!, redirectUri),
  microsoft: ({ microsoft }, redirectUri) => openMicrosoft(microsoft!, redirectUri),
  apple: ({ apple }, redirectUri) => openApple(apple!, redirectUri),
  facebook: ({ facebook }, redirectUri) => openFacebook(facebook!, redirectUri),
  github: ({ github }, redirectUri) => openGitHub(github!, redirectUri),
  twitter: ({ twitter }, redirectUri) => openTwitter(twitter!, redirectUri),
  yahoo: ({ yahoo }, redirectUri) => openYahoo(yahoo!, redirectUri),
}

/** Google asks again for an account, never for a password. */
function openGoogle(
  { clientId, clientSecret, issuer = 'https://accounts.google.com' }: ClientSettings,
  redirectUri: string,
) {
  const chooser = { prompt: 'select_account' }
  return openOidc({
    label: 'Google',
    issuer,
    clientId,
    clientAuth: ClientSecretPost(clientSecret),
    redirectUri,
    parameters: chooser,
    fresh: { ...chooser, max_age: '0' },
  })
}

function openYahoo(
  { clientId, clientSecret, issuer = 'https://api.login.yahoo.com' }: ClientSettings,
  redirectUri: string,
) {
  return openOidc({
    label: 'Yahoo',
    issuer,
    clientId,
    clientAuth: ClientSecretPost(clientSecret),
    redirectUri,
    fresh: { prompt: 'login' },
  })
}

function openIssuer(
  { label, issuer, clientId, clientSecret }: IssuerSettings,
  redirectUri: string,
) {
  return openOidc({
    label,
    issuer,
    clientId,
    clientAuth: secretAsSupported(clientSecret),
    redirectUri,
  })
}

/** Where providers send people back to: an address of ours, whatever address the visitor came by. */
function callbackOf(name: string, publicUrl: string) {
  return `${publicUrl}/auth/provider/${name}/callback`
}
