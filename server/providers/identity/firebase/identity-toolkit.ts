import { toError } from './errors.ts'
import type { FirebaseSettings } from './settings.ts'
import { askGoogle, openGoogleToken, type How } from './google-token.ts'

export type FirebaseAccount = {
  localId: string
  email?: string
  emailVerified?: boolean
  displayName?: string
  disabled?: boolean
  /** Only sent to Firebase, never returned by it. */
  password?: string | undefined
  /** Only returned by Firebase, never sent to it. */
  passwordHash?: string
}

export type FirebaseChanges = Omit<FirebaseAccount, 'localId' | 'passwordHash'>

export type IdentityToolkit = ReturnType<typeof openIdentityToolkit>

/** Calls https://docs.cloud.google.com/identity-platform/docs/reference/rest/v1 */
export function openIdentityToolkit(settings: FirebaseSettings, by: How) {
  const { projectId, apiKey, serviceAccount, emulatorHost } = settings
  const host = emulatorHost
    ? `http://${emulatorHost}/identitytoolkit.googleapis.com`
    : 'https://identitytoolkit.googleapis.com'
  const ofProject = `${host}/v1/projects/${encodeURIComponent(projectId)}/accounts`
  const giveToken = serviceAccount ? openGoogleToken(serviceAccount, by) : async () => 'owner'

  async function post<Answer>(url: string, headers: Record<string, string>, body: unknown) {
    const json = { 'content-type': 'application/json', ...headers }
    const answer = await askGoogle(url, json, JSON.stringify(body), by)
    if (answer.status !== 200) throw toError(answer.status, answer.body)
    return answer.body as Answer
  }

  async function asAdmin<Answer>(call: string, body: unknown) {
    return post<Answer>(ofProject + call, { authorization: `Bearer ${await giveToken()}` }, body)
  }

  return {
    /** Uses the public key, so that Firebase's own protection against guessing applies. */
    async signInWithPassword(email: string, password: string) {
      return post<{ localId: string; idToken?: string }>(
        `${host}/v1/accounts:signInWithPassword`,
        { 'x-goog-api-key': apiKey },
        { email, password, returnSecureToken: true },
      )
    },

    async create(account: FirebaseChanges & { localId: string }) {
      await asAdmin('', account)
    },

    async find(by: { localId: [string] } | { email: [string] }) {
      const { users = [] } = await asAdmin<{ users?: FirebaseAccount[] }>(':lookup', by)
      return users[0]
    },

    async update(
      localId: string,
      { disabled, ...changes }: FirebaseChanges & { deleteAttribute?: 'PASSWORD'[] },
    ) {
      const disabling = disabled === undefined ? {} : { disableUser: disabled }
      await asAdmin(':update', { localId, ...changes, ...disabling })
    },

    async remove(localId: string) {
      await asAdmin(':delete', { localId })
    },
  }
}
