import { openOidc } from '../oidc.ts'
import { withSecret } from '../sign-in-provider.ts'

const chooser = { prompt: 'select_account' }

/** To sign in again, Google asks people to choose an account, but never for a password. */
export const provider = withSecret((client) =>
  openOidc(client, {
    label: 'Google',
    issuer: 'https://accounts.google.com',
    parameters: chooser,
    fresh: { ...chooser, max_age: '0' },
  }),
)
