import { openOidc } from '../oidc.ts'
import { withSecret } from '../sign-in-provider.ts'

/**
 * Signs people in with Microsoft Entra ID and personal accounts. To let in only one organization,
 * set `issuer` to https://login.microsoftonline.com/TENANT_ID/v2.0
 */
export const provider = withSecret((client) =>
  openOidc(client, {
    label: 'Microsoft',
    issuer: 'https://login.microsoftonline.com/common/v2.0',
    parameters: { prompt: 'select_account' },
    // Any organization's administrator can put any address into `email`. The optional claim
    // `xms_edov` says that the organization owns the address's domain. The registration of the app
    // at Microsoft has to request this claim.
    isVerified: ({ xms_edov }) =>
      [true, 1, '1', 'true'].includes(xms_edov as string | number | boolean),
  }),
)
