/** Where `npm run test:firebase` has started Google's Auth emulator. */
const emulatorHost = process.env['FIREBASE_AUTH_EMULATOR_HOST'] ?? '127.0.0.1:9099'

export const emulatorSettings = { projectId: 'demo-tests', apiKey: 'any-key', emulatorHost }

/** Changes accounts at the emulator, as an operator does in Firebase's console. */
export function anEmulator() {
  const api = `http://${emulatorHost}/identitytoolkit.googleapis.com`
  const accounts = `${api}/v1/projects/${emulatorSettings.projectId}/accounts`

  async function ask(method: string, url: string, body: unknown) {
    const headers = { 'content-type': 'application/json', authorization: 'Bearer owner' }
    const response = await fetch(url, { method, headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${url}: ${await response.text()}`)
    return (await response.json()) as unknown
  }

  async function configure(mask: string, settings: unknown) {
    await ask(
      'PATCH',
      `${api}/v2/projects/${emulatorSettings.projectId}/config?updateMask=${mask}`,
      settings,
    )
  }

  return {
    async create(account: Record<string, unknown>) {
      await ask('POST', accounts, account)
    },
    async update(localId: string, changes: Record<string, unknown>) {
      await ask('POST', `${accounts}:update`, { localId, ...changes })
    },
    async find(email: string) {
      const { users = [] } = (await ask('POST', `${accounts}:lookup`, { email: [email] })) as {
        users?: Record<string, unknown>[]
      }
      return users[0]
    },
    async protectAddresses(enableImprovedEmailPrivacy: boolean) {
      await configure('emailPrivacyConfig', { emailPrivacyConfig: { enableImprovedEmailPrivacy } })
    },
    async allowSecondFactors() {
      await configure('mfa', { mfa: { state: 'ENABLED', enabledProviders: ['PHONE_SMS'] } })
    },
  }
}
