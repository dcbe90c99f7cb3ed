import { openOidc } from '../oidc.ts'
import { withSecret } from '../sign-in-provider.ts'

/**
 * Microsoft Entra ID and personal accounts. Another `issuer` lets in one organization alone:
 * https://login.microsoftonline.com/TENANT_ID/v2.0
 */
export const provider = withSecret((client) =>
  openOidc(client, {
    label: 'Microsoft',
    issuer: 'https://login.microsoftonline.com/common/v2.0',
    parameters: { prompt: 'select_account' },
    // Any organization's administrator can put any address into `email`. The optional claim
    // `xms_edov`, which the app's registration has to ask for, says that its domain is theirs.
    isVerified: ({ xms_edov }) =>
      [true, 1, '1', 'true'].includes(xms_edov as string | number | boolean),
  }),
)
