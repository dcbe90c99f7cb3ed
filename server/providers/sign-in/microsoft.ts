import { ClientSecretPost } from 'openid-client'
import { openOidc, type Claims } from './oidc.ts'
import type { ClientSettings } from './settings.ts'

/**
 * Microsoft Entra ID and personal accounts. An own `issuer` lets one organization in alone:
 * https://login.microsoftonline.com/TENANT_ID/v2.0
 */
export function openMicrosoft(
  {
    issuer = 'https://login.microsoftonline.com/common/v2.0',
    clientId,
    clientSecret,
  }: ClientSettings,
  redirectUri: string,
) {
  return openOidc({
    label: 'Microsoft',
    issuer,
    clientId,
    clientAuth: ClientSecretPost(clientSecret),
    redirectUri,
    parameters: { prompt: 'select_account' },
    isVerified,
  })
}

/**
 * Any organization's administrator can put any address into `email`. That its domain is theirs says the optional claim `xms_edov`, which
 * the app's registration has to ask for.
 */
function isVerified(claims: Claims) {
  return [true, 1, '1', 'true'].includes(claims['xms_edov'] as string | number | boolean)
}
