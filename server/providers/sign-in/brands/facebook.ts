import { createHmac } from 'node:crypto'
import * as z from 'zod/mini'
import { openOAuth } from '../oauth.ts'
import { withSecret } from '../sign-in-provider.ts'

const version = 'v23.0'
const ofUser = z.object({
  id: z.string(),
  name: z.optional(z.string()),
  email: z.optional(z.string()),
  picture: z.optional(
    z.object({ data: z.object({ url: z.string(), is_silhouette: z.optional(z.boolean()) }) }),
  ),
})

/** https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow */
export const provider = withSecret((client) => {
  const { clientSecret, issuer } = client
  const site = `${issuer ?? 'https://www.facebook.com'}/${version}`
  const graph = `${issuer ?? 'https://graph.facebook.com'}/${version}`
  return openOAuth(client, {
    label: 'Facebook',
    authorizationEndpoint: `${site}/dialog/oauth`,
    tokenEndpoint: `${graph}/oauth/access_token`,
    scope: 'public_profile,email',
    fresh: { auth_type: 'reauthenticate' },

    async account(ask, accessToken) {
      const query = new URLSearchParams({
        fields: 'id,name,email,picture.type(large)',
        // Proves that the app that uses the token is the app that Facebook issued it to.
        appsecret_proof: createHmac('sha256', clientSecret).update(accessToken).digest('hex'),
      })
      const { id, name, email, picture } = ofUser.parse(
        await ask(`${graph}/me?${query.toString()}`),
      )
      return {
        subject: id,
        email,
        // Facebook does not say whether an address is verified.
        emailVerified: false,
        name,
        picture: picture?.data.is_silhouette ? undefined : picture?.data.url,
      }
    },
  })
})
