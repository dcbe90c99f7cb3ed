import * as z from 'zod/mini'
import { secretInHeader } from '../client.ts'
import { openOAuth } from '../oauth.ts'
import { withSecret } from '../sign-in-provider.ts'

const ofUser = z.object({
  data: z.object({
    id: z.string(),
    name: z.string(),
    profile_image_url: z.optional(z.string()),
    confirmed_email: z.optional(z.string()),
  }),
})

/** https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code */
export const provider = withSecret((client) => {
  const { clientSecret, issuer } = client
  const api = `${issuer ?? 'https://api.x.com'}/2`
  return openOAuth(client, {
    label: 'X',
    authorizationEndpoint: `${issuer ?? 'https://x.com'}/i/oauth2/authorize`,
    tokenEndpoint: `${api}/oauth2/token`,
    clientAuth: secretInHeader(clientSecret),
    // The app needs X's permission to ask for e-mail addresses.
    scope: 'users.read tweet.read users.email',

    async account(ask) {
      const { data } = ofUser.parse(
        await ask(`${api}/users/me?user.fields=name,profile_image_url,confirmed_email`),
      )
      return {
        subject: data.id,
        email: data.confirmed_email,
        emailVerified: data.confirmed_email !== undefined,
        name: data.name,
        picture: data.profile_image_url,
      }
    },
  })
})
