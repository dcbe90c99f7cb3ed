import { openOidc } from '../oidc.ts'
import { withSecret } from '../sign-in-provider.ts'

export const provider = withSecret((client) =>
  openOidc(client, {
    label: 'Yahoo',
    issuer: 'https://api.login.yahoo.com',
    fresh: { prompt: 'login' },
  }),
)
