import { projectPath, type ProjectPathName } from '#contract/paths.ts'
import type { Screen } from '#contract/rows.ts'
import { screenEntries, screens } from '#contract/screens.ts'
import type { Locator, Page } from '@playwright/test'
import { expectScreen, press } from './keys.ts'
import { newAddress, signedInAs, signedUpAs } from './people.ts'
import { annsProject, aProject, ask, idOf, invites, joins } from './projects.ts'
import { rewritten } from './rewritten.ts'
import { expect, hold, mayRefuse, shows, test } from './visitor.ts'

const switcher = (page: Page) => page.getByRole('button', { name: /Switch project$/ })
const crumbs = (page: Page) => page.getByRole('navigation', { name: 'Breadcrumbs' })
const item = (page: Page, name: string | RegExp) => page.getByRole('menuitem', { name })

/** Ann's second project, next to Bridge renewal. Both have been open, the second one last. */
async function twoProjects(page: Page) {
  const first = await annsProject(page, { plan: 'pro', screen: 'users' })
  await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible()
  const second = await aProject(page, { name: 'Old ferry line' })
  await page.goto(projectPath('users', second))
  await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible()
  return { first, second }
}

test('the frame names the project, and the switcher leads to the others', async ({
  page,
  another,
}) => {
  const { first } = await twoProjects(page)
  await joins(await another('Bob Baker'), page, first)
  await expect(switcher(page)).toHaveAccessibleName('Old ferry line Free · 1 person Switch project')
  await switcher(page).click()
  await expect(page.getByRole('menuitem')).toHaveText([
    /Bridge renewal.*Pro · 2 people/,
    'All projects',
    'Create project',
  ])
  await item(page, 'Bridge renewal').click()
  await expect(page).toHaveURL(new RegExp(`${first}$`))
  await expect(switcher(page)).toHaveAccessibleName(/^Bridge renewal Pro/)

  await page.getByRole('button', { name: 'Collapse sidebar' }).click()
  await expect(switcher(page)).toHaveText(/^B/)
  expect((await switcher(page).boundingBox())!.width).toBeLessThan(40)
  await switcher(page).click()
  await item(page, 'Create project').click()
  await expect(page).toHaveURL(/\/create-plan$/)
  await expect(switcher(page)).toHaveCount(0)
  await page.getByRole('link', { name: 'Projects' }).first().click()
  await expect(page.getByRole('navigation', { name: 'Menu' }).getByRole('link')).toHaveCount(1)
})

test('the switcher lists projects never opened here, ten at most, and finds the others', async ({
  page,
}) => {
  const open = await annsProject(page)
  for (let count = 1; count <= 11; count++) await aProject(page, { name: `Pier ${count}` })
  await page.goto(projectPath('users', open))
  await switcher(page).click()
  await expect(page.getByRole('menuitem', { name: /^P Pier|^Pier/ })).toHaveCount(10)
  await item(page, 'Find a project').click()
  await page.getByRole('combobox', { name: /jump to/ }).fill('pier 11')
  const chosen = page.getByRole('dialog').getByRole('option', { selected: true })
  await expect(chosen).toContainText('Pier 11')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/subscription\/[^/]+$/)
})

test('a canceled project says so in the frame, one that was left is offered no more', async ({
  page,
  another,
}) => {
  const host = await another('Bob Baker')
  const { second } = await twoProjects(page)
  const left = await aProject(host, { name: 'Tunnel' })
  await joins(page, host, left)
  await page.goto(projectPath('subscription', left))
  await expect(switcher(page)).toHaveAccessibleName(/^Tunnel/)
  await page.goto('/dashboard')
  await expect(page.getByRole('link', { name: 'Tunnel' })).toBeVisible()
  await ask(page, 'leaveSubscription', { subscriptionId: left })
  await ask(page, 'cancelSubscription', { subscriptionId: second, confirmationId: second })
  await page.goto(projectPath('users', second))
  await expect(switcher(page)).toHaveAccessibleName(/^Old ferry line Canceled · 1 person/)
  await switcher(page).click()
  await expect(item(page, 'Bridge renewal')).toBeVisible()
  await expect(item(page, 'Tunnel')).toHaveCount(0)
  await expect(page.getByRole('menu')).not.toContainText('Tunnel')
})

test('another user of the browser sees none of the projects that were open', async ({ page }) => {
  await twoProjects(page)
  // The page would ask for the first user's project as the second user.
  await page.goto('about:blank')
  await signedInAs(page, 'Bob Baker')
  const own = await aProject(page, { name: 'Harbour' })
  await page.goto(projectPath('subscription', own))
  await switcher(page).click()
  await expect(page.getByRole('menuitem')).toHaveText(['All projects', 'Create project'])
})

test.describe('by keyboard', () => {
  test.use({ reducedMotion: 'reduce' })

  test('the switcher opens, finds a project by its letter, and closes', async ({ page }) => {
    await twoProjects(page)
    await press(page, 'button', /Switch project$/)
    await expect(item(page, 'Bridge renewal')).toBeVisible()
    await expect(page.locator('[role=menuitem]:focus')).toBeVisible()
    await page.keyboard.press('End')
    await expect(item(page, 'Create project')).toBeFocused()
    await page.keyboard.press('b')
    await expect(item(page, 'Bridge renewal')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(switcher(page)).toBeFocused()
    await expect(switcher(page)).toHaveAttribute('aria-expanded', 'false')
    await page.keyboard.press('ArrowDown')
    await expect(item(page, 'Bridge renewal')).toBeFocused()
    await page.keyboard.press('Enter')
    await expectScreen(page, 'Bridge renewal')
  })
})

test('below a desktop’s width the bar leads home by the name and mark, and the project is named and switched', async ({
  page,
}) => {
  const { first } = await twoProjects(page)
  const name = 'The long and winding bridge over the wide river at the end of the road'
  await ask(page, 'updateSubscriptionSettings', { subscriptionId: first, settings: { name } })
  for (const width of [320, 390, 768, 1023]) {
    await page.setViewportSize({ width, height: 700 })
    await page.goto(projectPath('users', first))
    const bar = page.getByRole('banner')
    await expect(switcher(page)).toHaveAccessibleName(new RegExp(`^${name}`))
    const home = bar.getByRole('link', { name: 'Pergola' })
    await expect(home).toHaveAttribute('href', '/dashboard')
    await expect(home.locator('svg')).toBeVisible()
    const boxes = []
    for (const part of [
      bar.getByRole('button', { name: 'Open menu' }),
      home,
      ...(width < 768 ? [] : [switcher(page)]),
      bar.getByRole('button', { name: 'Search' }),
      bar.getByRole('combobox'),
      bar.getByRole('button', { name: 'Your account' }),
    ])
      boxes.push((await part.boundingBox())!)
    for (const [index, { x }] of boxes.entries())
      expect(x, `part ${index} at ${width} px`).toBeGreaterThanOrEqual(
        index === 0 ? 0 : boxes[index - 1]!.x + boxes[index - 1]!.width,
      )
    const last = boxes.at(-1)!
    expect(last.x + last.width).toBeLessThanOrEqual(width)
    expect((await switcher(page).boundingBox())!.width).toBeGreaterThan(90)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      width,
    )
  }
  await page.setViewportSize({ width: 390, height: 700 })
  await page.getByRole('button', { name: 'Open menu' }).click()
  const sheet = page.getByRole('dialog', { name: 'Menu' })
  await expect(sheet.getByRole('link', { name: 'Pergola' })).toBeVisible()
  await switcher(sheet as unknown as Page).click()
  await item(page, 'Old ferry line').click()
  await expect(page.getByRole('heading', { level: 1, name: 'Old ferry line' })).toBeVisible()
  await expect(sheet).toBeHidden()
})

test.describe('under a finger', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 320, height: 640 } })

  test('everything in the bar has 44 px, and nothing covers its neighbour', async ({ page }) => {
    await annsProject(page, { screen: 'users' })
    const parts = page.getByRole('banner').locator(':is(a, button, select):visible')
    await expect(parts).toHaveCount(6)
    for (const part of await parts.all()) {
      const name = (await part.getAttribute('aria-label')) ?? (await part.innerText())
      const missed = await part.evaluate((element) => {
        const { left, top, width, height } = element.getBoundingClientRect()
        const [x, y] = [left + width / 2, top + height / 2]
        const near = [-21, 21].flatMap((by) => [
          [x + by, y],
          [x, y + by],
        ])
        return near.filter(([x, y]) => !element.contains(document.elementFromPoint(x!, y!)))
      })
      expect(missed, name).toEqual([])
    }
  })
})

test('the layout of the screens outside projects takes more menu items and goes without the choice of languages', async ({
  page,
}) => {
  // As an adopter writes it in client/signed-in-area.tsx.
  const props =
    '{extraItems:[{to:"/pricing",title:"frame.help",icon:()=>null}],languageSwitcher:!1}'
  const layout = /(element:\(0,\w+\.jsx\)\(\w+,)\{\}(\),children:\[\w+\(`signedIn`)/
  await rewritten(page, layout, `$1${props}$2`)
  const id = await annsProject(page)
  await page.goto('/dashboard')
  const menu = page.getByRole('navigation', { name: 'Menu' }).getByRole('link')
  await expect(menu).toHaveText(['Projects', 'Help'])
  await expect(page.getByRole('banner').getByRole('combobox')).toHaveCount(0)
  await page.goto(projectPath('subscription', id))
  await expect(page.getByRole('banner').getByRole('combobox')).toBeVisible()
  await expect(menu.filter({ hasText: 'Help' })).toHaveCount(0)
})

test('each sub-page names the screens above it, and leads there', async ({ page }) => {
  const id = await annsProject(page, { plan: 'pro' })
  const above = screenEntries.filter(([, { parent }]) => parent)
  expect(above.length).toBeGreaterThan(10)
  for (const [name, { path, parent }] of above) {
    const isOfProject = path.includes(':id')
    await page.goto(isOfProject ? projectPath(name as ProjectPathName, id) : path)
    const link = crumbs(page).getByRole('link')
    await expect(link, name).toHaveCount(1)
    await expect(page.getByRole('main').getByRole('link', { name: /^Back to/ })).toHaveCount(0)
    await link.click()
    const screen: Screen = screens[parent!]
    const to = screen.path.replace(':id', id)
    await expect(page, name).toHaveURL(new RegExp(`${to}$`))
    await expect(crumbs(page)).toHaveCount(screen.parent ? 1 : 0)
  }
  await page.goto('/create-plan?plan=pro')
  await expect(crumbs(page).getByRole('link')).toHaveText(['Projects', 'Choose a plan'])
  await expect(crumbs(page).locator('svg')).toHaveCount(1)
  await page.goto(`${projectPath('changePlan', id)}?plan=enterprise`)
  await crumbs(page).getByRole('link', { name: 'Change plan' }).click()
  await expect(page.getByRole('heading', { name: 'Change plan' })).toBeVisible()
  await expect(crumbs(page).getByRole('link')).toHaveText(['Billing Information'])
})

test('titles begin at one edge, and those without breadcrumbs at one height', async ({ page }) => {
  const id = await annsProject(page, { plan: 'pro' })
  const all = ['/dashboard', '/profile', '/edit-name', '/activity', '/create-plan?plan=pro'].concat(
    (['subscription', 'users', 'invite', 'billing', 'settings', 'activity'] as const).map((name) =>
      projectPath(name, id),
    ),
  )
  const places = new Map<string, { x: number; y: number }>()
  const widths = [768, 1024, 1920]
  for (const path of all) {
    await page.goto(path)
    await expect(page.getByText('Loading', { exact: true })).toHaveCount(0)
    const title = page.getByRole('heading', { level: 1 })
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 })
      const { x, y } = (await title.boundingBox())!
      const first = places.get(`${width}`) ?? { x, y }
      places.set(`${width}`, first)
      expect(x, `${path} at ${width} px`).toBe(first.x)
      if ((await crumbs(page).count()) === 0) expect(y, `${path} at ${width} px`).toBe(first.y)
    }
  }
})

test('what belongs together is on one line, and a column does not move with its rows', async ({
  page,
  another,
}) => {
  const box = async (of: Locator) => (await of.boundingBox())!
  const middle = async (of: Locator) => {
    const { y, height } = await box(of)
    return y + height / 2
  }
  const main = page.getByRole('main')
  await page.goto('/pricing')
  const mark = page.getByRole('banner').getByRole('link', { name: 'Pergola' })
  for (const width of [1920, 390, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    expect((await box(mark)).x).toBe((await box(main.getByRole('listitem').first())).x)
  }
  await page.goto('/signin')
  const headline = page.getByRole('complementary').locator('p').first()
  expect((await box(headline)).y).toBe((await box(main.locator('.rounded-card'))).y)

  await signedUpAs(page, 'Una Baker')
  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto('/create-plan?plan=pro')
  const receipt = page.getByText('The receipt goes to')
  const wrong = receipt.locator('xpath=..').getByRole('button').locator('span')
  expect(await box(wrong)).toMatchObject({ x: (await box(receipt)).x })

  const bob = await another('Bob Baker')
  const subscriptionId = await annsProject(page, { member: bob, plan: 'pro', screen: 'billing' })
  await page.setViewportSize({ width: 1280, height: 800 })
  for (const action of ['Manage payment methods', 'Update billing details', 'Transfer ownership']) {
    const button = page.getByRole('link', { name: action })
    const row = page.locator('dl > div').filter({ has: button })
    const places = await Promise.all(
      [row.locator('dt'), row.locator('dd').first(), button].map(middle),
    )
    expect(Math.max(...places) - Math.min(...places), action).toBeLessThan(0.6)
  }

  await invites(page, subscriptionId, newAddress('zoe'))
  await page.goto(projectPath('users', subscriptionId))
  const role = page.getByRole('columnheader', { name: 'Role' })
  await expect(page.getByRole('row', { name: 'zoe' })).toBeVisible()
  const { x, width } = await box(role)
  for (const [search, found] of [
    ['ann', 'Ann'],
    ['bob', 'Bob'],
    ['zoe', 'zoe'],
  ] as const) {
    await page.getByRole('searchbox').fill(search)
    await expect(page.locator('tbody tr')).toHaveText([new RegExp(found)])
    expect(await box(role), search).toMatchObject({ x, width })
  }
  await page.getByRole('searchbox').fill('bob')
  const userId = await idOf(bob)
  await ask(page, 'updateUserPermissions', { subscriptionId, userId, permissions: ['admin'] })
  await expect(page.getByRole('row', { name: 'Bob' })).toContainText('Administrator')
  expect(await box(role)).toMatchObject({ x, width })
})

test('the menu of a tablet closes when the tablet is turned', async ({ page }) => {
  await annsProject(page, { screen: 'users' })
  await page.setViewportSize({ width: 768, height: 1024 })
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.setViewportSize({ width: 1024, height: 768 })
  await page.getByRole('link', { name: 'Invite user' }).click({ timeout: 5000 })
  await expect(page.getByRole('heading', { name: 'Invite user' })).toBeVisible()
})

test('a breadcrumb goes back to the list as it was left', async ({ page }) => {
  const id = await annsProject(page)
  await invites(page, id, newAddress('zoe'))
  await page.goto(projectPath('users', id))
  await page.getByRole('searchbox').fill('Ann')
  await expect(page).toHaveURL(/search=Ann/)
  await page.getByRole('link', { name: 'Invite user' }).click()
  await crumbs(page).getByRole('link', { name: 'Users' }).click()
  await expect(page).toHaveURL(/users\?search=Ann$/)
})

test('a slow server leaves the frame on screen, and after four seconds it says so', async ({
  page,
}) => {
  const id = await annsProject(page, { screen: 'users' })
  await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible()
  await page.addInitScript(() => {
    const moved: number[] = []
    Object.assign(window, { moved })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        moved.push((entry as unknown as { value: number }).value)
    }).observe({ type: 'layout-shift', buffered: true })
  })
  // Calls of the first page don't count.
  await page.goto('about:blank')
  const calls: string[] = []
  page.on('request', (request) => {
    const [, name] = /\/api\/(\w+)$/.exec(request.url()) ?? []
    if (name) calls.push(name)
  })
  const letGo = await hold(page, '**/api/refreshSession')
  await page.goto(projectPath('users', id), { waitUntil: 'commit' })
  await expect(page.getByRole('banner')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Collapse sidebar' })).toBeVisible()
  await expect(page.getByText('Loading', { exact: true })).toHaveCount(1)
  await expect(page.getByText('Still loading…')).toBeHidden()
  await expect(page.getByText('Still loading…')).toBeVisible({ timeout: 8000 })
  expect(calls).toEqual(['refreshSession'])
  letGo()
  await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible()
  await expect(page.getByText('Still loading…')).toBeHidden()
  await expect(page.getByRole('row', { name: /Ann Archer/ })).toBeVisible()
  expect(calls).not.toContain('getSubscription')
  expect(await page.evaluate(() => (window as unknown as { moved: number[] }).moved)).toEqual([])
})

test('on wide screens a visitor’s card and the bar take the room beside the scrollbar', async ({
  page,
}) => {
  const room = () => page.evaluate(() => document.body.clientWidth)
  await page.goto('/invitation')
  const { x, width } = (await page.getByRole('main').boundingBox())!
  expect(x + width / 2).toBe((await room()) / 2)
  await annsProject(page)
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Your projects' })).toBeVisible()
  const bar = (await page.getByRole('banner').boundingBox())!
  expect([bar.x, bar.width]).toEqual([0, await room()])
  await expect(page.locator('html')).toHaveCSS('overflow-y', 'scroll')
})

test('a project that loads late leaves the frame and the account on screen', async ({ page }) => {
  await annsProject(page, { screen: 'subscription' })
  await page.goto('/dashboard')
  const letGo = await hold(page, '**/api/getSubscription')
  await page.getByRole('link', { name: 'Bridge renewal' }).click()
  await expect(page.getByRole('main').getByText('Loading', { exact: true })).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Your account' })).toBeVisible()
  letGo()
  await expect(page.getByRole('heading', { level: 1, name: 'Bridge renewal' })).toBeVisible()
})

test('a visitor without a session sees no frame on the way to the sign-in', async ({ page }) => {
  await page.addInitScript(() => {
    const seen: string[] = []
    Object.assign(window, { seen })
    new MutationObserver(() => {
      const bar = document.querySelector('header.sticky, #main')
      if (bar) seen.push(bar.outerHTML.slice(0, 80))
    }).observe(document, { childList: true, subtree: true })
  })
  await page.goto('/subscription/nothing/users')
  await expect(page.getByRole('heading', { name: /^Sign in/ })).toBeVisible()
  expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([])
})

/** Counts in each frame of the browser whether the main area shows any text. */
async function watchMain(page: Page) {
  await page.evaluate(() => {
    const drawn = { frames: 0, empty: 0 }
    Object.assign(window, { drawn })
    const look = () => {
      const main = document.querySelector('main')
      drawn.frames++
      if (!main?.innerText.trim() || !main.querySelector('h1')) drawn.empty++
      requestAnimationFrame(look)
    }
    look()
  })
  return () =>
    page.evaluate(() => (window as unknown as { drawn: { frames: number; empty: number } }).drawn)
}

test('from a form to the next screen the page is never empty', async ({ page }) => {
  await annsProject(page, { plan: 'pro', screen: 'billing' })
  await page.getByRole('link', { name: 'Update billing details' }).click()
  const save = page.getByRole('button', { name: 'Save billing details' })
  await expect(save).toBeVisible()
  const seen = await watchMain(page)
  await save.click()
  await shows(page.getByRole('main'), /saved/)
  await expect(page.getByRole('heading', { level: 1, name: 'Billing Information' })).toBeVisible()
  await expect(page.getByRole('row', { name: /\$10\.00/ })).toBeVisible()
  const { frames, empty } = await seen()
  expect(frames).toBeGreaterThan(20)
  expect(empty).toBe(0)

  // Opened by its address, so the profile has never been on screen.
  await page.goto('/edit-name')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const later = await watchMain(page)
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'My Profile' })).toBeVisible()
  expect((await later()).empty).toBe(0)
})

test('a form has read again what the next screen shows when that screen opens', async ({
  page,
}) => {
  const bob = newAddress('bob')
  await annsProject(page, { screen: 'users' })
  // Only what a screen has shown is read again.
  await expect(page.getByRole('row', { name: /Ann/ })).toBeVisible()
  await page.getByRole('link', { name: 'Invite user' }).click()
  // The screens on which the members were asked for.
  const askedOn: string[] = []
  await page.getByLabel('Email', { exact: true }).fill(bob)
  page.on('request', (request) => {
    if (request.url().endsWith('/getSubscriptionUsers')) askedOn.push(page.url())
  })
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await expect(page.getByRole('row', { name: bob })).toBeVisible()
  expect(askedOn[0]).toMatch(/\/invite$/)
})

test('the message after a save has a link for those who do not wait', async ({ page }) => {
  await annsProject(page)
  await page.goto('/edit-name')
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.getByRole('button', { name: 'Save name' }).click()
  const message = page.getByRole('main').locator('form')
  await message.getByRole('link', { name: 'My Profile' }).click()
  await expect(page).toHaveURL(/\/profile$/)
})

test('the account menu has the theme, help and the terms', async ({ page }) => {
  await annsProject(page)
  await page.goto('/dashboard')
  await expect(page.getByRole('button', { name: /^Theme/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  await expect(page.locator('html')).toHaveCSS('color-scheme', 'dark')
  await expect(page.getByRole('menuitemradio', { name: 'Dark' })).toBeChecked()
  for (const [name, href] of [
    ['Help', /^https:/],
    ['Write to support', /^mailto:/],
    ['Terms', /^https:/],
    ['Privacy', /^https:/],
  ] as const)
    await expect(item(page, name)).toHaveAttribute('href', href)
})

test('an address that leads nowhere leaves signed-in people their frame', async ({
  page,
  another,
}) => {
  const visitor = await another()
  await signedInAs(page, 'Ann Archer')
  const menu = (page: Page) => page.getByRole('link', { name: 'Projects', exact: true })
  for (const someone of [page, visitor]) {
    mayRefuse(someone, 'nowhere')
    await someone.goto('/nowhere')
    await expect(someone.getByRole('heading', { level: 1 })).toHaveText("There's nothing here")
    await expect(menu(someone)).toHaveCount(someone === page ? 1 : 0)
  }
  await expect(page).toHaveTitle(/^There's nothing here/)
  const id = await annsProject(page)
  mayRefuse(page, `subscription/${id}/nowhere`)
  await page.goto(`/subscription/${id}/nowhere`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText("There's nothing here")
  await expect(switcher(page)).toHaveAccessibleName(/^Bridge renewal/)
  await page.getByRole('link', { name: 'Open project' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bridge renewal')
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  await expect(page).toHaveURL(projectPath('users', id))
  await menu(page).click()
  await expect(page).toHaveURL(/\/dashboard$/)
})
