import { paths } from '#contract/paths.ts'
import { test as base, type Browser, type Page } from '@playwright/test'
import { call, mailedLink, newAddress, signedInAs, signedUpAs } from './people.ts'
import { addressOf, aProject, ask, invites, joins, switchToCard } from './projects.ts'
import { changeAnswers, changeProject, expect, watch } from './visitor.ts'

/** Names that break layouts: one is a word of eighty letters, one has no spaces. */
const longName = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
const chineseName = '长江大桥抗震加固与路面翻新工程项目组织委员会'
const longAddress = () => newAddress('an-address-as-long-as-one-may-be-or-hardly')

const people = ['visitor', 'newcomer', 'starter', 'owner', 'admin', 'member'] as const
export type Person = (typeof people)[number]

/**
 * The newcomer has nothing, and an address that is not verified; the starter has an empty project;
 * the owner has everything; the administrator and the member are in the owner's project.
 */
export type Stage = Awaited<ReturnType<typeof furnish>> & {
  page: (person: Person) => Page
  /** Fails if something went wrong in a person's browser since the last check. */
  expectCalm: (person: Person) => void
}

/** All tests of a worker share one stage. No test changes what another one looks at. */
export const test = base.extend<object, { stage: Stage }>({
  stage: [
    async ({ browser }, use, { project }) => {
      const inhabitants = await Promise.all(
        people.map((person) => inhabitant(browser, project.use.baseURL!, person)),
      )
      const of = (person: Person) => inhabitants[people.indexOf(person)]!
      const page = (person: Person) => of(person).page
      const expectCalm = (person: Person) => expect(of(person).problems.splice(0)).toEqual([])
      await use({ page, expectCalm, ...(await furnish(page)) })
      for (const { page } of inhabitants) {
        await page.unrouteAll({ behavior: 'ignoreErrors' })
        await page.close()
      }
    },
    { scope: 'worker', timeout: 900_000 },
  ],
})

async function inhabitant(browser: Browser, baseURL: string, person: Person) {
  const settings = { locale: 'en-US', timezoneId: 'UTC', reducedMotion: 'reduce' } as const
  const page = await browser.newPage({ baseURL, ...settings })
  const problems = watch(page)
  if (person === 'newcomer') await signedUpAs(page, 'Nora')
  else if (person !== 'visitor') {
    await signedInAs(page, person)
    await ask(page, 'updateProfile', { displayName: names[person] })
  }
  return { page, problems }
}

const names = { starter: 'Stan Short', owner: longName, admin: 'Bob Baker', member: '王小明' }

async function furnish(page: (person: Person) => Page) {
  const starter = page('starter')
  const owner = page('owner')
  const admin = page('admin')
  const member = page('member')
  const verifiedEmail = await mailedLink(owner, await addressOf(owner))
  const visitor = page('visitor')
  const unclaimedAccount = await mailedLink(visitor, await signedUpAs(visitor, 'Una Baker'))
  await visitor.context().clearCookies()
  const full = await aProject(owner, { plan: 'pro', name: longName })
  const overdue = await aProject(owner, { name: chineseName })
  const canceled = await aProject(owner, { name: 'Old ferry line' })
  const empty = await aProject(starter, { name: 'Nothing yet' })
  const other = await aProject(admin, { name: chineseName })
  const invitee = longAddress()
  await joins(admin, owner, full, ['admin'])
  await joins(member, owner, full, ['editor'])
  await invites(owner, full, invitee, ['editor', 'admin'])
  await invites(owner, full, newAddress('li'), ['editor', 'admin'], chineseName)
  await invites(owner, full, newAddress('dan'), ['editor', 'admin'], longName)
  await invites(admin, other, await addressOf(owner), ['editor'])
  const ownInvitation = await mailedLink(owner, await addressOf(owner))
  for (const planId of ['enterprise', 'pro'])
    await ask(owner, 'changeSubscriptionPlan', { subscriptionId: full, planId })
  await switchToCard(owner, full, '5555555555554444')
  await ask(owner, 'cancelSubscription', { subscriptionId: canceled, confirmationId: canceled })

  const { code } = await ask(owner, 'createJoinLink', {
    subscriptionId: full,
    permissions: ['editor'],
    uses: 12,
  })
  await ask(starter, 'requestToJoin', { subscriptionId: full })

  const newStarter = newAddress('stan')
  await ask(starter, 'updateEmail', { newEmail: newStarter })
  await call(visitor.request, 'sendPasswordResetEmail', { email: await addressOf(member) })
  await showWhatTimeBrings(owner, overdue)
  return {
    /** The ids of the projects. */
    project: { empty, full, overdue, canceled },
    link: {
      verifiedEmail,
      unclaimedAccount,
      resetPassword: await mailedLink(owner, await addressOf(member)),
      changeEmail: await mailedLink(owner, newStarter),
      invitation: await mailedLink(owner, invitee),
      ownInvitation,
      join: `${paths.join}?code=${code}`,
    },
  }
}

/** Shows an expired invitation and an unpaid week without waiting for them. */
async function showWhatTimeBrings(page: Page, overdue: string) {
  await changeAnswers(page, 'getSubscriptionUsers', ({ users }) => {
    const pending = users.find(({ status }) => status === 'pending')
    if (pending) pending.is_expired = true
  })
  await changeProject(page, (subscription) => {
    if (subscription.id === overdue) subscription.payment = 'past_due'
  })
}
