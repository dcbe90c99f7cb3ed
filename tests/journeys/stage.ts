import { test as base, type Browser, type Page } from '@playwright/test'
import { call, mailedLink, newAddress, signedInAs, signedUpAs } from './people.ts'
import { addressOf, aProject, ask, joins, switchToCard } from './projects.ts'
import { expect, watch } from './visitor.ts'

/** Names that break layouts: one is a word of eighty letters, one has no spaces. */
export const longName =
  'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
export const chineseName = '长江大桥抗震加固与路面翻新工程项目组织委员会'
const longAddress = () =>
  newAddress('an-address-as-long-as-an-address-may-be-and-hardly-a-letter-less')

const people = ['visitor', 'newcomer', 'starter', 'owner', 'admin', 'member'] as const
export type Person = (typeof people)[number]

/**
 * The newcomer has nothing, and an address that is not verified; the starter has an empty project;
 * the owner has everything; the administrator and the member are in the owner's project.
 */
export type Stage = {
  page: (person: Person) => Page
  /** Fails on what went wrong in a person's browser since the last check; `allow` comes first. */
  expectCalm: (person: Person) => void
  allow: (person: Person, refused: string[]) => void
  /** The ids of the projects. */
  project: { empty: string; full: string; overdue: string; canceled: string }
  link: {
    verifiedEmail: string
    resetPassword: string
    changeEmail: string
    invitation: string
    ownInvitation: string
  }
}

/** One stage for all tests of a worker. They change nothing that the others look at. */
export const test = base.extend<object, { stage: Stage }>({
  stage: [
    async ({ browser }, use, { project }) => {
      const inhabitants = await Promise.all(
        people.map((person) => inhabitant(browser, project.use.baseURL!, person)),
      )
      const of = (person: Person) => inhabitants[people.indexOf(person)]!
      const { projects, links } = await furnish((person) => of(person).page)
      await use({
        page: (person) => of(person).page,
        allow: (person, refused) => of(person).allowed.splice(0, Infinity, ...refused),
        expectCalm: (person) => expect(of(person).problems.splice(0)).toEqual([]),
        project: projects,
        link: links,
      })
      await Promise.all(
        inhabitants.map(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' })),
      )
      await Promise.all(inhabitants.map(({ context }) => context.close()))
    },
    { scope: 'worker', timeout: 900_000 },
  ],
})

async function inhabitant(browser: Browser, baseURL: string, person: Person) {
  const context = await browser.newContext({
    baseURL,
    locale: 'en-US',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  const allowed: string[] = []
  const problems = watch(page, allowed)
  if (person === 'newcomer') await signedUpAs(page, 'Nora')
  else if (person !== 'visitor') await signUpAs(page, person)
  return { context, page, allowed, problems }
}

async function signUpAs(page: Page, person: keyof typeof names) {
  await signedInAs(page, person)
  await ask(page, 'updateProfile', { displayName: names[person] })
}

const names = { starter: 'Stan Short', owner: longName, admin: 'Bob Baker', member: '王小明' }

async function furnish(page: (person: Person) => Page) {
  const [starter, owner, admin, member] = [
    page('starter'),
    page('owner'),
    page('admin'),
    page('member'),
  ]
  const verifiedEmail = await mailedLink(owner, await addressOf(owner))
  const full = await aProject(owner, { name: longName })
  const overdue = await aProject(owner, { plan: 'free', name: chineseName })
  const canceled = await aProject(owner, { plan: 'free', name: 'Old ferry line' })
  const empty = await aProject(starter, { plan: 'free', name: 'Nothing yet' })
  const other = await aProject(admin, { plan: 'free', name: chineseName })
  const invitee = longAddress()
  const invite = (email: string, name = '') =>
    ask(owner, 'createInvite', {
      subscriptionId: full,
      email,
      permissions: ['editor', 'admin'],
      ...(name && { name }),
    })
  await joins(admin, owner, full, ['admin'])
  await joins(member, owner, full, ['editor'])
  await invite(invitee)
  await invite(newAddress('li'), chineseName)
  await invite(newAddress('dan'), longName)
  await ask(admin, 'createInvite', {
    subscriptionId: other,
    email: await addressOf(owner),
    permissions: ['editor'],
  })
  const ownInvitation = await mailedLink(owner, await addressOf(owner))
  for (const planId of ['enterprise', 'pro'])
    await ask(owner, 'changeSubscriptionPlan', { subscriptionId: full, planId })
  await switchToCard(owner, full, '5555555555554444')
  await ask(owner, 'cancelSubscription', { subscriptionId: canceled, confirmationId: canceled })

  const newStarter = newAddress('stan')
  await ask(starter, 'updateEmail', { newEmail: newStarter })
  await call(page('visitor').request, 'sendPasswordResetEmail', { email: await addressOf(member) })
  await showWhatTimeBrings(owner, overdue)
  return {
    projects: { empty, full, overdue, canceled },
    links: {
      verifiedEmail,
      resetPassword: await mailedLink(owner, await addressOf(member)),
      changeEmail: await mailedLink(owner, newStarter),
      invitation: await mailedLink(owner, invitee),
      ownInvitation,
    },
  }
}

/** Shows an expired invitation and an unpaid week without waiting for them. */
async function showWhatTimeBrings(page: Page, overdue: string) {
  await page.route('**/api/getSubscriptionUsers', async (route) => {
    const response = await route.fetch()
    const { result } = (await response.json()) as {
      result: { users: { status: string; is_expired: boolean }[] }
    }
    const pending = result.users.find(({ status }) => status === 'pending')
    if (pending) pending.is_expired = true
    await route.fulfill({ response, json: { result } })
  })
  await page.route('**/api/getSubscription', async (route) => {
    const response = await route.fetch()
    const { result } = (await response.json()) as {
      result: { subscription: { id: string; payment: string } }
    }
    if (result.subscription.id === overdue) result.subscription.payment = 'past_due'
    await route.fulfill({ response, json: { result } })
  })
}
