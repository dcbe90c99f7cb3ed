import * as z from 'zod/mini'
import { openOAuth } from '../oauth.ts'
import { withSecret } from '../sign-in-provider.ts'

const ofUser = z.object({
  id: z.number(),
  login: z.string(),
  name: z.nullish(z.string()),
  avatar_url: z.nullish(z.string()),
})
const ofEmails = z.array(
  z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }),
)

/** https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps */
export const provider = withSecret((client) => {
  // Another issuer is the address of a GitHub Enterprise Server.
  const { issuer } = client
  const site = issuer ?? 'https://github.com'
  const api = issuer ? `${issuer}/api/v3` : 'https://api.github.com'
  return openOAuth(client, {
    label: 'GitHub',
    authorizationEndpoint: `${site}/login/oauth/authorize`,
    tokenEndpoint: `${site}/login/oauth/access_token`,
    issuer: `${site}/login/oauth`,
    scope: 'read:user user:email',
    fresh: { prompt: 'select_account' },

    async account(ask) {
      const user = ofUser.parse(await ask(`${api}/user`))
      const primary = ofEmails.parse(await ask(`${api}/user/emails`)).find((email) => email.primary)
      return {
        subject: String(user.id),
        email: primary?.email,
        emailVerified: primary?.verified ?? false,
        name: user.name ?? user.login,
        picture: user.avatar_url ?? undefined,
      }
    },
  })
})
