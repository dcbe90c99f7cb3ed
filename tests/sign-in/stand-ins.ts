import { aStandIn, type StandInOptions } from './stand-in.ts'

/** Speaks as github.com and its API do, at the addresses of a GitHub Enterprise Server. */
export async function aGitHub(options: StandInOptions = {}) {
  const github = {
    user: {
      id: 1,
      login: 'mona',
      name: 'Mona Lisa',
      avatar_url: 'https://avatars.example/1',
      email: null,
    },
    emails: [
      { email: 'old@example.com', primary: false, verified: true, visibility: null },
      { email: 'Mona@Example.com', primary: true, verified: true, visibility: 'private' },
    ] as object[],
  }
  const shape = {
    authorize: '/login/oauth/authorize',
    token: '/login/oauth/access_token',
    tokenAnswer: { scope: 'read:user,user:email' },
  }
  const standIn = await aStandIn(
    {
      ...shape,
      routes(app, whoIs) {
        app.use('/api/*', async (c, next) =>
          whoIs(c.req.header('authorization')) === undefined
            ? c.json({ message: 'Bad credentials' }, 401)
            : next(),
        )
        app.get('/api/v3/user', (c) => {
          const login = whoIs(c.req.header('authorization'))
          return c.json(
            login
              ? {
                  ...github.user,
                  id: Number.parseInt(Buffer.from(login).toString('hex').slice(-10), 16),
                  name: login,
                  avatar_url: null,
                }
              : github.user,
          )
        })
        app.get('/api/v3/user/emails', (c) => {
          const login = whoIs(c.req.header('authorization'))
          return c.json(
            login
              ? [{ email: addressOf(login), primary: true, verified: true, visibility: null }]
              : github.emails,
          )
        })
      },
    },
    options,
  )
  return Object.assign(github, standIn)
}

/** Speaks as Facebook's dialog and Graph API do. */
export async function aFacebook(options: StandInOptions = {}) {
  const asked: { accessToken: string; proof: string | undefined }[] = []
  const shape = {
    authorize: '/v23.0/dialog/oauth',
    token: '/v23.0/oauth/access_token',
    tokenAnswer: { expires_in: 5_183_944 },
  }
  const standIn = await aStandIn(
    {
      ...shape,
      routes(app, whoIs) {
        app.get('/v23.0/me', (c) => {
          const authorization = c.req.header('authorization')
          const login = whoIs(authorization)
          if (login === undefined)
            return c.json(
              {
                error: {
                  message: 'Invalid OAuth access token.',
                  type: 'OAuthException',
                  code: 190,
                },
              },
              400,
            )
          asked.push({
            accessToken: authorization!.split(' ')[1]!,
            proof: c.req.query('appsecret_proof'),
          })
          const picture = {
            data: {
              height: 200,
              is_silhouette: false,
              url: 'https://pictures.example/fay',
              width: 200,
            },
          }
          if (login) return c.json({ id: login, name: login, email: addressOf(login) })
          return c.json({ id: '10158', name: 'Fay Field', email: 'fay@example.com', picture })
        })
      },
    },
    options,
  )
  return { asked, ...standIn }
}

/** Speaks as X's API v2 does. */
export async function aTwitter(options: StandInOptions = {}) {
  const twitter = {
    user: {
      id: '7',
      name: 'Tia Tern',
      username: 'tia',
      profile_image_url: 'https://pictures.example/tia',
      confirmed_email: 'tia@example.com',
    } as object,
  }
  const tokenAnswer = { expires_in: 7200, scope: 'users.read tweet.read users.email' }
  const standIn = await aStandIn(
    {
      authorize: '/i/oauth2/authorize',
      token: '/2/oauth2/token',
      tokenAnswer,
      routes(app, whoIs) {
        app.get('/2/users/me', (c) => {
          const login = whoIs(c.req.header('authorization'))
          if (login === undefined) return c.json({ title: 'Unauthorized', status: 401 }, 401)
          return c.json({
            data: login
              ? { id: login, name: login, username: login, confirmed_email: addressOf(login) }
              : twitter.user,
          })
        })
      },
    },
    options,
  )
  return Object.assign(twitter, standIn)
}

export function addressOf(login: string) {
  return `${login}@example.com`
}
