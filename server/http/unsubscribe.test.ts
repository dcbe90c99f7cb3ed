import { expect, test } from 'vitest'
import { newKey } from '../platform/secrets.ts'
import { holdMails } from '../../tests/jobs.ts'
import { aProject, openWorld, reasonOf, secretKey, type World } from '../../tests/world.ts'

/** The path of the link in the newest mail to an address that ends mails like it. */
async function stopLink(world: World, to: string) {
  await world.untilWorkedOff()
  const [mail] = await world.mails(to)
  const link = mail!.links.find((link) => link.includes('/unsubscribe?'))
  return link?.slice('http://localhost:3000'.length)
}

/** A project in which Eve has got a mail about her role, with the link that ends such mails. */
async function aToldMember() {
  const { world, id, owner, eve } = await aProject({ plan: 'pro', people: { eve: [] } })
  await owner.permits(id, eve, ['editor'])
  const link = (await stopLink(world, eve.email))!
  const isMailed = async () => (await eve.does('getUser', {})).user.notices.roleChanged
  return { world, id, owner, eve, link, isMailed }
}

const post = { method: 'POST' }
const oneClick = {
  ...post,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: 'List-Unsubscribe=One-Click',
}

test('a link in a mail ends mails of its kind by POST alone, without a session, and as often as one likes', async () => {
  const { world, id, owner, eve, link, isMailed } = await aToldMember()
  const asked = await world.request(link)
  expect([asked.status, asked.headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(await asked.text()).toContain('<form method="post">')
  expect((await world.request(link, { method: 'HEAD' })).status).toBe(200)
  expect(await isMailed()).toBe(true)

  const pages = await Promise.all([
    world.request(link, oneClick).then((answer) => answer.text()),
    world.request(link, post).then((answer) => answer.text()),
  ])
  expect(pages[0]).toContain('The emails “Someone changes my role” have ended.')
  expect(pages[1]).toBe(pages[0])
  const { notices } = (await eve.does('getUser', {})).user
  expect(notices).toEqual({
    memberRemoved: true,
    roleChanged: false,
    joinRequested: true,
    joinAccepted: true,
    projectEnded: true,
    invitationAccepted: true,
  })
  await world.pool.query('delete from kept_mails')
  await owner.permits(id, eve, [])
  await world.untilWorkedOff()
  expect(await world.mails(eve.email)).toEqual([])
  await eve.does('saveUser', { notices: { roleChanged: true } })
  expect(await isMailed()).toBe(true)
})

test('the page of a link is in the language of its mail, and says nothing of the account', async () => {
  const { world, id, owner, eve } = await aToldMember()
  await eve.does('saveUser', { language: 'he' })
  await owner.permits(id, eve, [])
  const link = (await stopLink(world, eve.email))!
  const page = await (await world.request(link)).text()
  expect(page).toContain('<html lang="he" dir="rtl">')
  expect(page).not.toContain(eve.email)
  expect(page).not.toContain(id)
})

test('a link whose account is gone answers as before, and a changed one does nothing', async () => {
  const { world, eve, link, isMailed } = await aToldMember()
  const changed = link.replace(/.{6}$/, 'AAAAAA')
  for (const path of [changed, '/unsubscribe', '/unsubscribe?token=sealed%3A']) {
    expect((await world.request(path, post)).status).toBe(400)
    expect((await world.request(path)).status).toBe(400)
  }
  expect(await isMailed()).toBe(true)
  const before = await (await world.request(link, post)).text()
  await eve.does('deleteAccount', { confirmationId: eve.uid })
  const after = await world.request(link, post)
  expect([after.status, await after.text()]).toEqual([200, before])
})

test('a link works as long as the key that sealed it is in SECRET_KEY', async () => {
  const { world, eve, link } = await aToldMember()
  await world.stop()
  const other = newKey()
  const both = await openWorld(world.connection, { SECRET_KEY: `${other},${secretKey}` })
  expect((await both.request(link, post)).status).toBe(200)
  const { rows } = await both.services.db.execute<{ notices: object }>(
    `select notices from users where id = '${eve.uid}'`,
  )
  expect(rows).toEqual([{ notices: { roleChanged: false } }])
  await both.stop()
  const next = await openWorld(world.connection, { SECRET_KEY: other })
  expect((await next.request(link, post)).status).toBe(400)
})

test('mails that always come have no such link', async () => {
  const { world, owner, id } = await aToldMember()
  await owner.cancels(id)
  expect(await stopLink(world, owner.email)).toBeUndefined()
  await owner.does('sendPasswordResetEmail', { email: owner.email })
  expect(await stopLink(world, owner.email)).toBeUndefined()
})

test('somebody without an account ends invitation mails, and their inviter learns only that none is sent', async () => {
  const { world, id: subscriptionId, owner } = await aProject({ plan: 'pro' })
  const zoe = 'zoe@example.com'
  const { inviteId } = await owner.invites(subscriptionId, zoe)
  const link = (await stopLink(world, zoe))!
  expect((await world.request(link, post)).status).toBe(200)
  const { rows } = await world.pool.query('select mailbox from uninvited_mailboxes')
  expect(rows).toEqual([{ mailbox: world.mailbox(zoe) }])

  const asOf = { subscriptionId, inviteId }
  const again = await owner.call('resendInvite', asOf)
  expect([again.status, reasonOf(again)]).toEqual([429, 'inviteeBusy'])
  expect(again.error!.details).toEqual({ reason: 'inviteeBusy', retryAfter: 24 * 3600 })
  await owner.does('revokeInvite', asOf)
  const next = await owner.invites(subscriptionId, 'zoe+work@example.com')
  expect(next).toMatchObject({ mailed: false })
  await world.untilWorkedOff()
  expect([
    ...(await world.mails(zoe)),
    ...(await world.mails('zoe+work@example.com')),
  ]).toHaveLength(1)
  const { code } = await owner.does('createInviteLink', {
    subscriptionId,
    inviteId: next.inviteId,
  })
  expect((await world.does('checkInvite', { code })).invite.email).toBe('zoe+work@example.com')
})

test('an invitation that waits is not mailed to an address that has ended them meanwhile', async () => {
  const { world, id, owner } = await aProject({ plan: 'pro' })
  const other = (await owner.starts()).subscriptionId
  await owner.invites(id, 'zoe@example.com')
  const link = (await stopLink(world, 'zoe@example.com'))!
  const comeBack = await holdMails(world)
  await owner.invites(other, 'zoe@example.com')
  await world.untilWorkedOff()
  await world.request(link, post)
  await comeBack()
  expect(await world.mails('zoe@example.com')).toHaveLength(1)
})

test('whoever has shown that the address is theirs gets invitations by mail, without such a link', async () => {
  const { world, id, owner } = await aProject({ plan: 'pro' })
  await owner.invites(id, 'zoe@example.com')
  await world.request((await stopLink(world, 'zoe@example.com'))!, post)
  const stranger = await world.aPerson('zoe', { verified: false })
  const other = (await owner.starts()).subscriptionId
  expect(await owner.invites(other, stranger.email)).toMatchObject({ mailed: false })
  await world.openMail(stranger.email, stranger)
  const third = (await owner.starts()).subscriptionId
  expect(await owner.invites(third, stranger.email)).not.toHaveProperty('mailed')
  expect(await stopLink(world, stranger.email)).toBeUndefined()
  expect((await world.mails(stranger.email))[0]!.subject).toContain('invites you')
})
