import { openOidc } from '../oidc.ts'
import { withSecret } from '../sign-in-provider.ts'

/** For one organization only, `issuer` is https://login.microsoftonline.com/TENANT_ID/v2.0 */
export const provider = withSecret((client) =>
  openOidc(client, {
    label: 'Microsoft',
    issuer: 'https://login.microsoftonline.com/common/v2.0',
    parameters: { prompt: 'select_account' },
    // Any organization can put any address into `email`. `xms_edov`, which the app's registration
    // at Microsoft has to request, says that the organization owns the address's domain.
    isVerified: ({ xms_edov }) =>
      [true, 1, '1', 'true'].includes(xms_edov as string | number | boolean),
  }),
)
