import type { Browser, Locator, Page } from '@playwright/test'
import { today, type Scene } from '../scene/scene.ts'
import { addressOf } from '../../operate/seed/people.ts'
import { filmOf } from './film.ts'

/** Films how a visitor comes from the prices to a paid project with invited people. */
export async function filmWalk(browser: Browser, { url }: Scene) {
  const context = await browser.newContext({
    baseURL: url,
    locale: 'en-US',
    viewport: { width: 1040, height: 660 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await page.clock.setFixedTime(today)
  const film = filmOf(page)
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  const field = (name: string) => page.getByLabel(name, { exact: true })
  const email = addressOf('Mia Berg')

  await page.goto('/pricing')
  await seen(page.getByRole('heading', { name: 'Plans and prices' }))
  await film.show(1200)
  await film.click(page.getByRole('link', { name: 'Choose Pro' }))

  await seen(field('Full name'))
  await film.type(field('Full name'), 'Mia Berg')
  await film.type(field('Email'), email)
  await film.type(field('Password'), 'over the bridge')
  await film.click(button('Create account'))

  const testCard = page.frameLocator('iframe').getByRole('button', { name: 'Use a test card' })
  await seen(testCard)
  await seen(button(/^Pay \$10/))
  await film.show(900)
  const name = page.getByLabel('Project Name')
  await name.fill('')
  await film.type(name, 'Harbour lights')
  await film.click(testCard)
  await film.type(field('Address line 1'), '12 Elm Street')
  await film.type(field('City'), 'Boston')
  await film.type(field('State'), 'MA')
  await film.type(field('ZIP code'), '02108')
  await film.type(field('Phone'), '617 555 0100')
  await film.show(500)
  await film.click(button(/^Pay \$10/))

  await seen(page.getByText('We sent a link to'))
  await film.show(900)
  await page.goto(await verificationLink(page, email))

  await seen(field('People'))
  await film.show(900)
  await film.paste(
    field('People'),
    'Ann Archer <ann@example.org>, Bob Baker <bob@example.org>\ncarla@example.org',
  )
  await film.click(button('Send 3 invitations'))
  await seen(page.getByText('3 invitations are on their way.'))
  await film.show(1800)
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await seen(page.getByRole('heading', { level: 1, name: 'Harbour lights' }))
  await seen(page.getByText('Latest activity'))
  await page.waitForFunction(() => document.querySelector('.animate-late') === null)
  await film.show(3500)
  const gif = await film.toGif()
  await context.close()
  return gif
}

async function verificationLink({ request }: Page, to: string) {
  const answer = await request.get('/dev/mail.json', { params: { to } })
  const links = ((await answer.json()) as { links: string[] }[]).flatMap((mail) => mail.links)
  return links.find((link) => link.includes('mode=verifyEmail'))!
}

function seen(target: Locator) {
  return target.first().waitFor()
}
