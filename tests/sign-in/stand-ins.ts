import { aStandIn, type StandInOptions } from './stand-in.ts'

/** Answers like github.com and its API, at the addresses of a GitHub Enterprise Server. */
export async function aGitHub(options: StandInOptions = {}) {
  const github = {
    user: { id: 1, login: 'mona', name: 'Mona Lisa', avatar_url: 'https://avatars.example/1' },
    emails: [
      { email: 'old@example.com', primary: false, verified: true },
      { email: 'Mona@Example.com', primary: true, verified: true },
    ],
  }
  const standIn = await aStandIn(
    {
      authorize: '/login/oauth/authorize',
      token: '/login/oauth/access_token',
      tokenAnswer: { scope: 'read:user,user:email' },
      wrongToken: [{ message: 'Bad credentials' }, 401],
      answers: {
        '/api/v3/user': (login) => (login ? asUser(login) : github.user),
        '/api/v3/user/emails': (login) =>
          login ? [{ email: addressOf(login), primary: true, verified: true }] : github.emails,
      },
    },
    options,
  )
  return Object.assign(github, standIn)
}

function asUser(login: string) {
  const id = Number.parseInt(Buffer.from(login).toString('hex').slice(-10), 16)
  return { id, login, name: login, avatar_url: null }
}

/** Answers like Facebook's dialog and Graph API. */
export async function aFacebook(options: StandInOptions = {}) {
  const picture = 'https://pictures.example/fay'
  const asked: { accessToken: string; proof: string | undefined }[] = []
  const standIn = await aStandIn(
    {
      authorize: '/v23.0/dialog/oauth',
      token: '/v23.0/oauth/access_token',
      tokenAnswer: { expires_in: 5_183_944 },
      wrongToken: [{ error: { message: 'Invalid OAuth access token.', code: 190 } }, 400],
      answers: {
        '/v23.0/me': (login, c) => {
          const accessToken = c.req.header('authorization')!.split(' ')[1]!
          asked.push({ accessToken, proof: c.req.query('appsecret_proof') })
          if (login) return { id: login, name: login, email: addressOf(login) }
          const fay = { id: '10158', name: 'Fay Field', email: 'fay@example.com' }
          return { ...fay, picture: { data: { is_silhouette: false, url: picture } } }
        },
      },
    },
    options,
  )
  return { picture, asked, ...standIn }
}

/** Answers like X's API v2. */
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
  const standIn = await aStandIn(
    {
      authorize: '/i/oauth2/authorize',
      token: '/2/oauth2/token',
      tokenAnswer: { expires_in: 7200, scope: 'users.read tweet.read users.email' },
      wrongToken: [{ title: 'Unauthorized', status: 401 }, 401],
      answers: {
        '/2/users/me': (login) => ({
          data: login
            ? { id: login, name: login, username: login, confirmed_email: addressOf(login) }
            : twitter.user,
        }),
      },
    },
    options,
  )
  return Object.assign(twitter, standIn)
}

export function addressOf(login: string) {
  return `${login}@example.com`
}
