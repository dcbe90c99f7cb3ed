import { languages, type LanguageCode } from '#config/languages.ts'
import type { MessageKey } from '#locales/keys.ts'
import { loadTranslator } from '#locales/load-translator.ts'
import type { Page } from '@playwright/test'
import {
  call,
  mailedLink,
  mailsTo,
  newAddress,
  newestMail,
  password,
  signedInAs,
  signedUpAs,
  submit,
} from './people.ts'
import { addressOf, annsProject, ask } from './projects.ts'
import { answered, expect, hold, shows, test } from './visitor.ts'

const codes = Object.keys(languages) as LanguageCode[]
const translators = new Map(
  await Promise.all(codes.map(async (code) => [code, await loadTranslator(code)] as const)),
)
const say = (code: LanguageCode, key: MessageKey) => translators.get(code)!(key)

const hasHeading = (page: Page, code: LanguageCode, key: MessageKey) =>
  expect(page.getByRole('heading', { level: 1 })).toHaveText(say(code, key))

/** Waits until the server has saved this language for the user. */
const isSaved = (page: Page, code: LanguageCode) =>
  expect.poll(async () => (await ask(page, 'getUser', {})).user.language).toBe(code)

for (const [wanted, shown] of [
  ['de-AT', 'de'],
  ['zh-HK', 'zh-TW'],
  ['nl-NL', 'en'],
] as const)
  test(`a browser that asks for ${wanted} gets ${shown}`, async ({ another }) => {
    const page = await another(undefined, { locale: wanted })
    await page.goto('/signin')
    await hasHeading(page, shown, 'auth.signInTo')
    await expect(page.locator('html')).toHaveAttribute('lang', shown)
    await expect(page).toHaveTitle(say(shown, 'auth.signInTo'))
    expect(await page.evaluate(() => localStorage.getItem('language'))).toBe(shown)
  })

test('a first visit loads one language, and only from our server', async ({ another, baseURL }) => {
  const page = await another(undefined, { locale: 'de-DE' })
  const urls: string[] = []
  page.on('request', (request) => urls.push(request.url()))
  await page.goto('/signin')
  await hasHeading(page, 'de', 'auth.signInTo')
  expect(urls.filter((url) => !url.startsWith(baseURL!))).toEqual([])
  const scripts = await Promise.all(
    urls
      .filter((url) => url.endsWith('.js'))
      .map(async (url) => (await page.request.get(url)).text()),
  )
  const shown = codes.filter((code) => {
    const words = JSON.stringify(say(code, 'auth.signUpFailed')).slice(1, -1)
    return scripts.some((script) => script.includes(words))
  })
  expect(shown).toEqual(['de'])
})

for (const code of ['zh-TW', 'ja', 'he'] as const)
  test(`a new user gets screens and mails in the language ${code}`, async ({ another }) => {
    const page = await another(undefined, { locale: code })
    const t = (key: MessageKey) => say(code, key)
    const address = newAddress(`in-${code.toLowerCase()}`)
    await page.goto('/signup')
    await expect(page.locator('html')).toHaveAttribute('dir', languages[code].dir ?? '')
    await submit(page, t('auth.createAccount'), {
      [t('auth.fullName')]: 'Ann Archer',
      [t('auth.email')]: address,
      [t('auth.password')]: password,
    })
    await hasHeading(page, code, 'dashboard.title')
    await expect(page).toHaveTitle(new RegExp(t('dashboard.title')))

    const mails = await mailsTo(page, address)
    expect(mails[0]!.subject).toBe(t('mails.verifyEmail.subject'))
    expect(mails[0]!.html).toContain(t('mails.verifyEmail.button'))
    await page.goto(await mailedLink(page, address))
    await shows(page, t('auth.action.emailVerified'))

    await page.goto('/create-plan')
    await page.getByRole('button', { name: t('plans.pro.title') }).click()
    const country = page.getByLabel(t('billing.address.country'), { exact: true })
    await expect(country).toHaveValue(languages[code].country)
    await expect(page.getByLabel(say('en', 'billing.address.line1'))).toBeVisible()
    await expect(country.locator('option:checked')).toHaveText(
      new Intl.DisplayNames(code, { type: 'region' }).of(await country.inputValue())!,
    )
  })

test('a chosen language applies in other browsers and in mails', async ({ page, another }) => {
  const id = await annsProject(page)
  await page.goto('/dashboard')
  await choose(page, 'en', 'ja')
  await hasHeading(page, 'ja', 'dashboard.title')
  await expect(page.locator('html')).toHaveAttribute('lang', 'ja')
  await isSaved(page, 'ja')
  await page.reload()
  await hasHeading(page, 'ja', 'dashboard.title')
  await page.goto(`/subscription/${id}/users`)
  await expect(page).toHaveTitle(new RegExp(say('ja', 'users.title')))

  const email = await addressOf(page)
  const elsewhere = await another()
  await elsewhere.goto('/signin')
  await signIn(elsewhere, 'en', email)
  await hasHeading(elsewhere, 'ja', 'dashboard.title')

  // The page in the first browser takes over the language that is chosen in the second.
  await choose(elsewhere, 'ja', 'de')
  await hasHeading(page, 'de', 'users.title')
  await call(page.request, 'sendPasswordResetEmail', { email })
  await expect.poll(() => newestMail(page, email)).toBe(say('de', 'mails.resetPassword.subject'))
})

test('the language chosen before the sign-in becomes the user’s own', async ({ page, another }) => {
  const address = await signedInAs(page, 'Ann Archer')
  await ask(page, 'saveUser', { language: 'ja' })
  const elsewhere = await another()
  await elsewhere.goto('/signin')
  await choose(elsewhere, 'en', 'de')
  await signIn(elsewhere, 'de', address)
  await hasHeading(elsewhere, 'de', 'dashboard.title')
  await isSaved(page, 'de')
})

test('a screen whose texts fail to load shows no keys in their place', async ({
  page: other,
  another,
}) => {
  const address = await signedInAs(other, 'Ann Archer')
  // This page isn't watched for errors, because the test aborts a script.
  const page = await (await another()).context().newPage()
  await page.goto('/signin')
  await page.route(/\/assets\/en-.*\.js/, (route) => route.abort())
  const lost = page.waitForEvent('requestfailed')
  // With this cookie, as after a sign-in in another tab, the page loads the next screens early.
  await page.evaluate(() => (document.cookie = 'pergola_signed_in=1'))
  await page.getByRole('link', { name: say('en', 'auth.forgotPassword') }).hover()
  await lost
  await page.unrouteAll()
  await signIn(page, 'en', address)
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).not.toHaveText(say('en', 'auth.signInTo'))
  await expect(heading).toHaveText(
    new RegExp(`^(${say('en', 'dashboard.title')}|${say('en', 'common.brokenTitle')})$`),
  )
})

test('the language chosen last shows, even if another loads later', async ({ page }) => {
  const goOn = await hold(page, /\/assets\/de-/)
  await page.goto('/signin')
  await choose(page, 'en', 'de')
  await choose(page, 'en', 'ja')
  await hasHeading(page, 'ja', 'auth.signInTo')
  await answered(page, /\/assets\/de-/, goOn)
  await hasHeading(page, 'ja', 'auth.signInTo')
})

test('an older answer from the server does not undo a chosen language', async ({ page }) => {
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
  // Without a live stream nothing corrects the language later.
  await page.route('**/live', () => undefined)
  const reading = page.waitForRequest('**/api/getUser')
  await page.goto('/create-plan')
  await reading
  await answered(page, '**/api/getUser', async () => {
    await answered(page, '**/api/saveUser', () => choose(page, 'en', 'ja'))
    goOn()
  })
  await hasHeading(page, 'ja', 'createPlan.title')
})

test('a language chosen while another one is being saved is saved after it', async ({ page }) => {
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
  await hasHeading(page, 'ja', 'createPlan.title')
  expect(saves).toBe(1)
  await answered(page, '**/api/saveUser', first.resolve)
  await hasHeading(page, 'ja', 'createPlan.title')
  second.resolve()
  await isSaved(page, 'ja')
  await hasHeading(page, 'ja', 'createPlan.title')
})

test('the app keeps a language that failed to save, and saves it later', async ({ another }) => {
  // This page isn't watched for errors, because the save fails.
  const page = await (await another()).context().newPage()
  await signedInAs(page, 'Ann Archer')
  await ask(page, 'saveUser', { language: 'en' })
  await page.goto('/create-plan')
  await page.route('**/api/saveUser', (route) => route.fulfill({ status: 400, json: {} }))
  await answered(page, '**/api/saveUser', () => choose(page, 'en', 'ja'))
  await page.unrouteAll()
  await page.reload()
  await hasHeading(page, 'ja', 'createPlan.title')
  await isSaved(page, 'ja')
  await hasHeading(page, 'ja', 'createPlan.title')
})

test('a language chosen while the session loads is saved, even if its texts load later', async ({
  page,
}) => {
  await signedInAs(page, 'Ann Archer')
  await ask(page, 'saveUser', { language: 'en' })
  const begin = await hold(page, '**/api/refreshSession')
  const loadTexts = await hold(page, /\/assets\/ja-/)
  await page.goto('/create-plan')
  await choose(page, 'en', 'ja')
  await answered(page, '**/api/getUser', begin)
  await answered(page, '**/api/saveUser', loadTexts)
  await hasHeading(page, 'ja', 'createPlan.title')
  await isSaved(page, 'ja')
})

test('a change of language does not use a mailed link a second time', async ({ page }) => {
  const address = await signedUpAs(page, 'Ann Archer')
  let asked = 0
  page.on('request', (request) => (asked += request.url().endsWith('/api/applyActionCode') ? 1 : 0))
  await page.goto(await mailedLink(page, address))
  await shows(page, say('en', 'auth.action.emailVerified'))
  await choose(page, 'en', 'de')
  await shows(page, say('de', 'auth.action.emailVerified'))
  expect(asked).toBe(1)
})

test('a refusal shows in the newly chosen language', async ({ page }) => {
  await page.goto('/signin')
  await page.getByLabel(say('en', 'auth.email')).fill('nobody')
  await page.getByLabel(say('en', 'auth.password'), { exact: true }).fill('x')
  await choose(page, 'en', 'de')
  await page.getByRole('button', { name: say('de', 'auth.signIn'), exact: true }).click()
  await shows(page, say('de', 'errors.auth/invalid-email'))
})

function signIn(page: Page, code: LanguageCode, address: string) {
  const fields = { [say(code, 'auth.email')]: address, [say(code, 'auth.password')]: password }
  return submit(page, say(code, 'auth.signIn'), fields)
}

function choose(page: Page, shown: LanguageCode, wanted: LanguageCode) {
  const selector = page.getByRole('combobox', { name: say(shown, 'common.language') })
  return selector.selectOption({ label: languages[wanted].name })
}
