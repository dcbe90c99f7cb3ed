import { languages, type LanguageCode } from '#config/languages.ts'
import type { MessageKey } from '#locales/keys.ts'
import { loadTranslator } from '#locales/load-translator.ts'
import type { Page } from '@playwright/test'
import {
  call,
  mailedLink,
  mailsTo,
  newAddress,
  password,
  signedInAs,
  signedUpAs,
} from './people.ts'
import { aProject, ask } from './projects.ts'
import { expect, hold, nextFrames, test } from './visitor.ts'

const codes = Object.keys(languages) as LanguageCode[]
const translators = new Map(
  await Promise.all(
    codes.map(async (code) => [code, await loadTranslator(code, { product: 'Atrium' })] as const),
  ),
)
const say = (code: LanguageCode, key: MessageKey) => translators.get(code)!(key)

test.describe('the browser says which language', () => {
  for (const [wanted, shown] of [
    ['de-AT', 'de'],
    ['zh-HK', 'zh-TW'],
    ['nl-NL', 'en'],
  ] as const)
    test(`${wanted} is shown ${shown}`, async ({ another }) => {
      const page = await another(undefined, { locale: wanted })
      await page.goto('/signin')
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(say(shown, 'auth.signInTo'))
      await expect(page.locator('html')).toHaveAttribute('lang', shown)
      await expect(page).toHaveTitle(`${say(shown, 'auth.signInTo')} · Atrium`)
      expect(await page.evaluate(() => localStorage.getItem('language'))).toBe(shown)
    })
})

test('a first visit loads one language, and nothing from anywhere else', async ({
  another,
  baseURL,
}) => {
  const page = await another(undefined, { locale: 'de-DE' })
  const urls: string[] = []
  page.on('request', (request) => urls.push(request.url()))
  await page.goto('/signin')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('de', 'auth.signInTo'))
  expect(urls.filter((url) => !url.startsWith(baseURL!))).toEqual([])
  const scripts = await Promise.all(
    urls
      .filter((url) => url.endsWith('.js'))
      .map(async (url) => (await page.request.get(url)).text()),
  )
  const shown = codes.filter((code) =>
    scripts.some((script) =>
      script.includes(JSON.stringify(say(code, 'auth.signUpFailed')).slice(1, -1)),
    ),
  )
  expect(shown).toEqual(['de'])
})

for (const code of ['zh-TW', 'ja', 'he'] as const)
  test(`a new user signs up, works and gets mail in ${code}, and sees English where words are missing`, async ({
    another,
  }) => {
    const page = await another(undefined, { locale: code })
    const t = (key: MessageKey) => say(code, key)
    const address = newAddress(`in-${code.toLowerCase()}`)
    await page.goto('/signup')
    await expect(page.locator('html')).toHaveAttribute('dir', languages[code].dir ?? '')
    await page.getByLabel(t('auth.fullName')).fill('Ann Archer')
    await page.getByLabel(t('auth.email')).fill(address)
    await page.getByLabel(t('auth.password'), { exact: true }).fill(password)
    await page.getByRole('button', { name: t('auth.createAccount') }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('dashboard.title'))
    await expect(page).toHaveTitle(new RegExp(t('dashboard.title')))

    const mails = await mailsTo(page, address)
    expect(mails[0]!.subject).toBe(t('mails.verifyEmail.subject'))
    expect(mails[0]!.html).toContain(t('mails.verifyEmail.button'))
    await page.goto(await mailedLink(page, address))
    await expect(page.getByText(t('auth.action.emailVerified'))).toBeVisible()

    await page.goto('/create-plan')
    await page.getByRole('button', { name: t('plans.pro.title') }).click()
    const country = page.getByLabel(t('billing.address.country'), { exact: true })
    await expect(country).toHaveValue(languages[code].country)
    await expect(page.getByLabel(say('en', 'billing.address.line1'))).toBeVisible()
    await expect(country.locator('option:checked')).toHaveText(
      new Intl.DisplayNames(code, { type: 'region' }).of(await country.inputValue())!,
    )
  })

test('a language once chosen holds, and is in the record, for other browsers and for mails', async ({
  page,
  another,
}) => {
  const address = await signedInAs(page, 'Ann Archer')
  const subscriptionId = await aProject(page, { plan: 'free' })
  await page.goto('/dashboard')
  await choose(page, 'en', 'ja')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('ja', 'dashboard.title'))
  await expect(page.locator('html')).toHaveAttribute('lang', 'ja')
  await expect.poll(async () => (await ask(page, 'getUser', {})).user.language).toBe('ja')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('ja', 'dashboard.title'))
  await page.goto(`/subscription/${subscriptionId}/users`)
  await expect(page).toHaveTitle(new RegExp(say('ja', 'users.title')))

  const elsewhere = await another(undefined, { locale: 'en-US' })
  await signIn(elsewhere, 'en', address)
  await expect(elsewhere.getByRole('heading', { level: 1 })).toHaveText(
    say('ja', 'dashboard.title'),
  )

  // Chosen in one browser, it is followed in the other, open or not.
  await choose(elsewhere, 'ja', 'de')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('de', 'users.title'))
  await call(page.request, 'sendPasswordResetEmail', { email: address })
  await expect
    .poll(async () => (await mailsTo(page, address))[0]!.subject)
    .toBe(say('de', 'mails.resetPassword.subject'))
})

test('a language chosen before signing in becomes the user’s', async ({ page, another }) => {
  const address = await signedInAs(page, 'Ann Archer')
  await ask(page, 'saveUser', { language: 'ja' })
  const elsewhere = await another(undefined, { locale: 'en-US' })
  await elsewhere.goto('/signin')
  await choose(elsewhere, 'en', 'de')
  await signIn(elsewhere, 'de', address)
  await expect(elsewhere.getByRole('heading', { level: 1 })).toHaveText(
    say('de', 'dashboard.title'),
  )
  await expect.poll(async () => (await ask(page, 'getUser', {})).user.language).toBe('de')
})

test('where the words of the screens behind the sign-in did not come, no key is shown in their place', async ({
  page: other,
  another,
}) => {
  const address = await signedInAs(other, 'Ann Archer')
  // Not watched, since a script is lost.
  const page = await (await another()).context().newPage()
  await page.goto('/signin')
  await page.route(/\/assets\/en-.*\.js/, (route) => route.abort())
  const lost = page.waitForEvent('requestfailed')
  // As after a sign-in in another tab, the page fetches the next screens ahead.
  await page.evaluate(() => (document.cookie = 'atrium_signed_in=1'))
  await page.getByRole('link', { name: say('en', 'auth.forgotPassword') }).hover()
  await lost
  await page.unrouteAll()
  await page.getByLabel(say('en', 'auth.email')).fill(address)
  await page.getByLabel(say('en', 'auth.password'), { exact: true }).fill(password)
  await page.getByRole('button', { name: say('en', 'auth.signIn'), exact: true }).click()
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).not.toHaveText(say('en', 'auth.signInTo'))
  await expect(heading).toHaveText(
    new RegExp(`^(${say('en', 'dashboard.title')}|${say('en', 'common.brokenTitle')})$`),
  )
})

test('of two languages chosen at once the screen shows the later one, even if it arrives first', async ({
  another,
}) => {
  const page = await another(undefined, { locale: 'en-US' })
  const goOn = await hold(page, /\/assets\/de-/)
  await page.goto('/signin')
  const german = page.waitForResponse(/\/assets\/de-/)
  await choose(page, 'en', 'de')
  await choose(page, 'en', 'ja')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('ja', 'auth.signInTo'))
  goOn()
  await (await german).finished()
  await nextFrames(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('ja', 'auth.signInTo'))
})

test('a language chosen while the record is being read is not undone by what the record said before', async ({
  page,
}) => {
  await signedInAs(page, 'Ann Archer')
  await ask(page, 'saveUser', { language: 'en' })
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>()
  let reads = 0
  await page.route('**/api/getUser', async (route) => {
    if (reads++) return route.continue()
    const response = await route.fetch()
    await held
    await route.fulfill({ response })
  })
  // Nor does it have to be put right afterwards.
  await page.route('**/live', () => undefined)
  const reading = page.waitForRequest('**/api/getUser')
  await page.goto('/create-plan')
  await reading
  const read = page.waitForResponse('**/api/getUser')
  const saved = page.waitForResponse('**/api/saveUser')
  await choose(page, 'en', 'ja')
  await saved
  goOn()
  await (await read).finished()
  await nextFrames(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('ja', 'createPlan.title'))
})

test('a language chosen while the first one is being saved stays, and is saved after it', async ({
  page,
}) => {
  await signedInAs(page, 'Ann Archer')
  const first = Promise.withResolvers<void>()
  const second = Promise.withResolvers<void>()
  let saves = 0
  await page.route('**/api/saveUser', async (route) => {
    await (saves++ ? second : first).promise
    await route.continue()
  })
  const keeping = page.waitForRequest('**/api/saveUser')
  await page.goto('/create-plan')
  await keeping
  await choose(page, 'en', 'ja')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('ja', 'createPlan.title'))
  expect(saves).toBe(1)
  const saved = page.waitForResponse('**/api/saveUser')
  first.resolve()
  await (await saved).finished()
  await nextFrames(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('ja', 'createPlan.title'))
  second.resolve()
  await expect.poll(async () => (await ask(page, 'getUser', {})).user.language).toBe('ja')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('ja', 'createPlan.title'))
})

test('a language that could not be saved stays in this browser, and is saved with the next page', async ({
  another,
}) => {
  // Not watched, since the save fails.
  const page = await (await another()).context().newPage()
  await signedInAs(page, 'Ann Archer')
  await ask(page, 'saveUser', { language: 'en' })
  await page.goto('/create-plan')
  await page.route('**/api/saveUser', (route) => route.fulfill({ status: 400, json: {} }))
  const failed = page.waitForResponse('**/api/saveUser')
  await choose(page, 'en', 'ja')
  await (await failed).finished()
  await page.unrouteAll()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('ja', 'createPlan.title'))
  await expect.poll(async () => (await ask(page, 'getUser', {})).user.language).toBe('ja')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('ja', 'createPlan.title'))
})

test('another language on an action link does nothing a second time', async ({ page }) => {
  const address = await signedUpAs(page, 'Ann Archer')
  let asked = 0
  page.on('request', (request) => (asked += request.url().endsWith('/api/applyActionCode') ? 1 : 0))
  await page.goto(await mailedLink(page, address))
  await expect(page.getByText(say('en', 'auth.action.emailVerified'))).toBeVisible()
  await choose(page, 'en', 'de')
  await expect(page.getByText(say('de', 'auth.action.emailVerified'))).toBeVisible()
  expect(asked).toBe(1)
})

test('a refusal that is on screen is said in the language chosen then', async ({ page }) => {
  await page.goto('/signin')
  await page.getByLabel(say('en', 'auth.email')).fill('nobody')
  await page.getByLabel(say('en', 'auth.password'), { exact: true }).fill('x')
  await choose(page, 'en', 'de')
  await page.getByRole('button', { name: say('de', 'auth.signIn'), exact: true }).click()
  await expect(page.getByText(say('de', 'errors.auth/invalid-email'))).toBeVisible()
})

async function signIn(page: Page, code: LanguageCode, address: string) {
  await page.goto('/signin')
  await page.getByLabel(say(code, 'auth.email')).fill(address)
  await page.getByLabel(say(code, 'auth.password'), { exact: true }).fill(password)
  await page.getByRole('button', { name: say(code, 'auth.signIn'), exact: true }).click()
}

function choose(page: Page, shown: LanguageCode, wanted: LanguageCode) {
  return page
    .getByRole('combobox', { name: say(shown, 'common.language') })
    .selectOption({ label: languages[wanted].name })
}
