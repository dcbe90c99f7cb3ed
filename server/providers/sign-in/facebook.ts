import { createHmac } from 'node:crypto'
import { ClientSecretPost } from 'openid-client'
import * as z from 'zod/mini'
import { openOAuth } from './oauth.ts'
import type { ClientSettings } from './settings.ts'

const version = 'v23.0'
const ofUser = z.object({
  id: z.string(),
  name: z.optional(z.string()),
  email: z.optional(z.string()),
  picture: z.optional(
    z.object({ data: z.object({ url: z.string(), is_silhouette: z.optional(z.boolean()) }) }),
  ),
})

/** https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow. It does not say whether an address is verified. */
export function openFacebook(
  { clientId, clientSecret, issuer }: ClientSettings,
  redirectUri: string,
) {
  const site = `${issuer ?? 'https://www.facebook.com'}/${version}`
  const graph = `${issuer ?? 'https://graph.facebook.com'}/${version}`
  return openOAuth({
    label: 'Facebook',
    authorizationEndpoint: `${site}/dialog/oauth`,
    tokenEndpoint: `${graph}/oauth/access_token`,
    clientId,
    clientAuth: ClientSecretPost(clientSecret),
    redirectUri,
    scope: 'public_profile,email',
    fresh: { auth_type: 'reauthenticate' },

    async account(ask, accessToken) {
      const query = new URLSearchParams({
        fields: 'id,name,email,picture.type(large)',
        // Shows that the token is used by the app that it was given to.
        appsecret_proof: createHmac('sha256', clientSecret).update(accessToken).digest('hex'),
      })
      const { id, name, email, picture } = ofUser.parse(
        await ask(`${graph}/me?${query.toString()}`),
      )
      return {
        subject: id,
        email,
        emailVerified: false,
        name,
        picture: picture?.data.is_silhouette ? undefined : picture?.data.url,
      }
    },
  })
}
