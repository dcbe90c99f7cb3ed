// @module-tag slow
import { limits, rateLimits, readLimits } from '#config/limits.ts'
import { product } from '#config/product.ts'
import { calls, type CallName } from '#contract/calls.ts'
import { contracts, on } from '#contract/modules.ts'
import type { CallRow } from '#contract/rows.ts'
import { expect, test } from 'vitest'
import { anAuthenticator } from '../../tests/an-authenticator.ts'
import { inputFor } from '../../tests/inputs.ts'
import { aProgram } from '../../tests/a-program.ts'
import { openTab } from '../../tests/tab.ts'
import { aLog, aProject, aWorld, aWorldWith, inParallel, openWorld } from '../../tests/world.ts'
import { newAccessToken } from '../platform/ids.ts'
import { otherJobs } from '../jobs/jobs.ts'

const day = 24 * 3_600_000
const names = Object.keys(calls) as CallName[]
const rowOf = (name: CallName): CallRow => calls[name]

/** An owner's project, with a program for it and one for all of the owner's projects. */
async function aProjectWithPrograms() {
  const { world, id, owner } = await aProject()
  const own = await aProgram(world, owner, { name: 'Own' })
  const ofProject = await aProgram(world, owner, { name: 'Bridge', subscriptionId: id })
  return { world, id, owner, own, ofProject }
}

test('access tokens may make the listed API calls of the core, and no others', () => {
  const ofModules = new Set(on.flatMap((name) => Object.keys(contracts[name].calls ?? {})))
  const ofCore = names.filter((name) => !ofModules.has(name)).toSorted()
  const listed = (access: 'read' | 'write') =>
    ofCore.filter((name) => rowOf(name).tokens === access)
  expect(listed('read')).toEqual([
    'exportActivity',
    'getSubscription',
    'getSubscriptionUsers',
    'getUsage',
    'listActivity',
    'listSubscriptions',
  ])
  expect(listed('write')).toEqual([
    'createInvite',
    'removeUser',
    'resendInvite',
    'revokeInvite',
    'updateSubscriptionSettings',
    'updateUserPermissions',
  ])
})

test('every API call accepts and refuses each kind of token as the table of calls says', async () => {
  const { world, id, owner, own, ofProject } = await aProjectWithPrograms()
  const { subscriptionId: otherId } = await owner.starts()
  const programs = {
    own,
    ofProject,
    reader: await aProgram(world, owner, { access: 'read' }),
    readerOfProject: await aProgram(world, owner, { access: 'read', subscriptionId: id }),
    ofOther: await aProgram(world, owner, { subscriptionId: otherId }),
  }
  for (const name of names)
    for (const [kind, program] of Object.entries(programs)) {
      const { tokens } = rowOf(name)
      const isReader = kind.startsWith('reader')
      const isOther = kind === 'ofOther' && name !== 'listSubscriptions'
      const isRefused = !tokens || isOther || (tokens === 'write' && isReader)
      const refusal = await program.refusal(name, inputFor(name, id) as never)
      expect(refusal === 'tokenNotAllowed', `${name} by ${kind}`).toBe(isRefused)
    }
})

test('a program lists and renames projects, invites people and changes what they may do', async () => {
  const { world, id, owner, own, ofProject } = await aProjectWithPrograms()
  const { subscriptionId: otherId } = await owner.starts()
  const idsOf = async (program: typeof own, input = {}) =>
    (await program.does('listSubscriptions', input)).subscriptions.map(({ id }) => id)
  expect(await idsOf(own)).toEqual([otherId, id])
  expect(await idsOf(ofProject)).toEqual([id])
  expect(await idsOf(ofProject, { page: 1, search: otherId })).toEqual([])
  for (const [name, program] of Object.entries({ own, ofProject })) {
    const settings = { name: `Renamed by ${name}` }
    await program.does('updateSubscriptionSettings', { subscriptionId: id, settings })
    const { subscription } = await program.does('getSubscription', { subscriptionId: id })
    expect(subscription.settings['name']).toBe(settings.name)
    const bob = await world.aPerson(name.toLowerCase())
    const invited = { subscriptionId: id, email: bob.email, permissions: ['editor' as const] }
    await bob.does('acceptInvite', await program.does('createInvite', invited))
    const permissions = { subscriptionId: id, userId: bob.uid, permissions: [] }
    await program.does('updateUserPermissions', permissions)
    await program.does('removeUser', { subscriptionId: id, userId: bob.uid })
  }
})

test('a program of one project is told what is wrong with its input', async () => {
  const { id, ofProject } = await aProjectWithPrograms()
  const input = { subscriptionId: id, settings: { name: 7 } } as never
  const { error } = await ofProject.call('updateSubscriptionSettings', input)
  expect(error!.details).toEqual({
    reason: 'invalidInput',
    fields: { 'settings.name': 'invalid_type' },
  })
})

test('a token is shown once and stored as a hash, and a mistyped one asks the database nothing', async () => {
  const { world, owner, own } = await aProjectWithPrograms()
  expect(own.token).toMatch(/^atr_[\dA-Za-z]{49}$/)
  const { rows } = await world.pool.query('select access_tokens::text from access_tokens')
  expect(JSON.stringify(rows)).not.toContain(own.token.slice(4))
  const { accessTokens } = await owner.does('listAccessTokens', {})
  expect(JSON.stringify(accessTokens)).not.toContain(own.token)
  await world.cannot('listSubscriptions', {}, 'sessionEnded', { token: newAccessToken() })
  const wrong = own.token.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x'))
  await world.pool.query('alter table access_tokens rename to nobody_reads_this')
  await world.cannot('listSubscriptions', {}, 'sessionEnded', { token: wrong })
})

test('a list of tokens shows their last use, from where, how often, and who made them', async () => {
  const { world, id, owner, own, ofProject } = await aProjectWithPrograms()
  expect(own.accessToken).toEqual({
    id: expect.any(String),
    name: 'Own',
    access: 'write',
    subscription_id: null,
    subscription_name: null,
    maker: { id: owner.uid, name: 'owner' },
    created: expect.any(Number),
    expires: expect.any(Number),
    last_used: null,
    last_network: null,
    uses: 0,
  })
  expect(own.accessToken.expires - own.accessToken.created).toBe(limits.accessTokens.life / 1000)
  await owner.renames(id, 'Bridge')
  for (const _ of ['once', 'twice', 'thrice']) await ofProject.does('listSubscriptions', {})
  // A server that stops writes the uses of the last minute.
  await world.stop()
  const again = await openWorld(world.connection)
  const list = async (input: object) =>
    (await again.does('listAccessTokens', input, { token: owner.token })).accessTokens
  const used = {
    ...ofProject.accessToken,
    subscription_name: 'Bridge',
    last_used: expect.any(Number),
    last_network: 'unknown',
    uses: 3,
  }
  expect(await list({ subscriptionId: id })).toEqual([used])
  expect(await list({})).toEqual(expect.arrayContaining([used, own.accessToken]))
})

test('making a token needs a recent sign-in, a time within a year, and room', async () => {
  const [world, ann] = await aWorldWith('ann')
  const make = { name: 'CI', access: 'read' as const }
  const inDays = (days: number) => Math.floor(world.services.now().getTime() / 1000 + days * 86_400)
  for (const expires of [inDays(0), inDays(367)])
    await ann.cannot('createAccessToken', { ...make, expires }, 'invalidInput')
  for (let count = 0; count < limits.accessTokens.perUser - 3; count++)
    await ann.does('createAccessToken', { ...make, expires: inDays(1) })
  const answers = await inParallel(5, () => ann.call('createAccessToken', make))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
  await ann.cannot('createAccessToken', make, 'tooManyAccessTokens')
  world.pass(limits.sessions.recentSignIn + 1000)
  await ann.cannot('createAccessToken', make, 'auth/requires-recent-login')
})

test('administrators make, see and revoke tokens of their project, and each person their own', async () => {
  const { world, id, owner, ann, bob, max } = await aProject({
    people: { ann: ['admin'], bob: ['admin'], max: [] },
  })
  const inProject = { subscriptionId: id }
  const make = { name: 'CI', access: 'read' as const, ...inProject }
  await max.cannot('createAccessToken', make, 'adminOnly')
  await max.cannot('listAccessTokens', inProject, 'adminOnly')
  const stranger = await world.aPerson('stranger')
  await stranger.cannot('createAccessToken', make, 'accessDenied')
  await stranger.cannot(
    'createAccessToken',
    { ...make, subscriptionId: 'x' },
    'subscriptionNotFound',
  )
  const [own, ofProject] = [await aProgram(world, ann), await aProgram(world, ann, inProject)]
  for (const { id: accessTokenId } of [own, ofProject])
    for (const person of [max, stranger])
      await person.cannot('revokeAccessToken', { accessTokenId }, 'accessTokenNotFound')
  await bob.cannot('revokeAccessToken', { accessTokenId: own.id }, 'accessTokenNotFound')
  const [answers] = [
    await Promise.all(
      [ann, bob, owner].map((person) =>
        person.call('revokeAccessToken', { accessTokenId: ofProject.id }),
      ),
    ),
  ]
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  await ofProject.cannot('listSubscriptions', {}, 'sessionEnded')
  expect((await owner.does('listAccessTokens', inProject)).accessTokens).toEqual([])
  await ann.does('revokeAccessToken', { accessTokenId: own.id })
  await own.cannot('listSubscriptions', {}, 'sessionEnded')
  await owner.cancels(id)
  await owner.cannot('createAccessToken', make, 'subscriptionCanceled')
})

test('a token does no more than its maker may do now', async () => {
  const { world, id, owner, ann } = await aProject({ people: { ann: ['admin'] } })
  const programs = [await aProgram(world, ann), await aProgram(world, ann, { subscriptionId: id })]
  await owner.permits(id, ann, [])
  for (const program of programs) {
    await program.cannot('listActivity', { subscriptionId: id }, 'adminOnly')
    const renamed = { subscriptionId: id, settings: { name: 'x' } }
    await program.cannot('updateSubscriptionSettings', renamed, 'adminOnly')
    await program.does('getSubscription', { subscriptionId: id })
  }
})

test('no token makes an administrator, by a new invitation, an old one, or kept ones', async () => {
  const { world, id, owner, ann, bob } = await aProject({ people: { ann: ['admin'], bob: [] } })
  const program = await aProgram(world, owner)
  const inProject = { subscriptionId: id }
  const may = (person: typeof bob, permissions: ('admin' | 'editor')[]) =>
    program.refusal('updateUserPermissions', { ...inProject, userId: person.uid, permissions })
  const invited = { ...inProject, email: 'x@example.com', permissions: ['admin' as const] }
  await program.cannot('createInvite', invited, 'tokenNotAllowed')
  const invite = await owner.does('createInvite', invited)
  await program.cannot('resendInvite', { ...inProject, ...invite }, 'tokenNotAllowed')
  expect(await may(bob, ['admin'])).toBe('tokenNotAllowed')
  expect(await may(bob, ['editor'])).toBeUndefined()
  expect(await may(ann, ['admin', 'editor'])).toBeUndefined()
  const keeping = { ...inProject, userId: ann.uid, keepInvites: true as const }
  await program.cannot('removeUser', keeping, 'tokenNotAllowed')
  await program.does('removeUser', { ...inProject, userId: ann.uid })
})

test('a project that asks for a second step opens to tokens of sessions that passed it', async () => {
  const { world, id, owner, ann } = await aProject({ people: { ann: ['admin'] } })
  const inProject = { subscriptionId: id }
  const weak = await aProgram(world, ann, inProject)
  const app = await anAuthenticator(world, ann)
  const strong = await aProgram(world, ann, inProject)
  const tab = await openTab(world, strong.token)
  await untilReady(tab)
  await world.services.store.subscriptions.setSecondFactorFrom(id, world.services.now())
  await weak.cannot('getSubscription', inProject, 'factorRequired')
  await strong.does('getSubscription', inProject)
  expect((await tab.change()).subscriptions).toEqual([id])
  await owner.cannot(
    'createAccessToken',
    { name: 'CI', access: 'read', ...inProject },
    'factorRequired',
  )
  await owner.cannot('revokeAccessToken', { accessTokenId: weak.id }, 'accessTokenNotFound')
  await ann.does('removeFactor', { factorId: app.id })
  await strong.cannot('getSubscription', inProject, 'factorRequired')
})

test('tokens for a project end with their maker’s part in it, and administrators are told once', async () => {
  for (const way of ['leaves', 'removed', 'deletes'] as const) {
    const { world, id, owner, ann } = await aProject({ people: { ann: ['admin'] } })
    const inProject = { subscriptionId: id }
    const programs = [
      await aProgram(world, ann, { ...inProject, name: 'Build' }),
      await aProgram(world, ann, { ...inProject, name: 'Import' }),
    ]
    const own = await aProgram(world, ann)
    const gone = await aProgram(world, ann, inProject)
    await owner.does('revokeAccessToken', { accessTokenId: gone.id })
    if (way === 'leaves') await ann.does('leaveSubscription', inProject)
    if (way === 'removed') await owner.does('removeUser', { ...inProject, userId: ann.uid })
    if (way === 'deletes') await ann.does('deleteAccount', { confirmationId: ann.uid })
    for (const program of programs) await program.cannot('listSubscriptions', {}, 'sessionEnded')
    if (way !== 'deletes') await own.does('listSubscriptions', {})
    await world.untilWorkedOff()
    const mails = (await world.mails(owner.email)).filter(({ subject }) => /token/i.test(subject))
    expect(mails, way).toHaveLength(1)
    expect(mails[0]!.text).toContain('Build and Import')
    expect(mails[0]!.links[0]).toContain(`/subscription/${id}/settings#tokens`)
    const { activity } = await owner.does('listActivity', inProject)
    const ended = activity.filter(({ kind }) => kind === 'tokenEnded')
    expect(new Set(ended.map(({ details }) => details['made'])), way).toEqual(
      new Set(['Build', 'Import']),
    )
    if (way === 'deletes') expect(ended.map(({ subject }) => subject)).toEqual(['', ''])
  }
})

test('no token for a project outlives its maker’s part, made at the same moment or not', async () => {
  const { world, id, owner, ann } = await aProject({ people: { ann: ['admin'] } })
  const inProject = { subscriptionId: id }
  for (let round = 0; round < 5; round++) {
    await Promise.all([
      owner.call('removeUser', { ...inProject, userId: ann.uid }),
      inParallel(3, () =>
        ann.call('createAccessToken', { ...inProject, name: 'CI', access: 'write' }),
      ),
    ])
    expect((await owner.does('listAccessTokens', inProject)).accessTokens).toEqual([])
    await world.addMember(id, ann, ['admin'])
  }
})

test('what ends all access to an account ends its tokens; another password does not', async () => {
  const [world, ann] = await aWorldWith('ann')
  const program = await aProgram(world, ann)
  await ann.does('updatePassword', { newPassword: 'another good one' })
  await ann.does('revokeOtherSessions', {})
  await program.does('listSubscriptions', {})
  const oobCode = await world.resetCode(ann.email)
  await world.does('confirmPasswordReset', { oobCode, newPassword: 'a third good one' })
  await program.cannot('listSubscriptions', {}, 'sessionEnded')
  const again = await world.signedIn({ email: ann.email, password: 'a third good one' })
  const { activity } = await again.does('listOwnActivity', {})
  expect(activity.find(({ kind }) => kind === 'ownTokenEnded')?.details).toEqual({ made: 'CI' })
})

test('the mail about a new token locks the account, which ends the token', async () => {
  const [world, ann] = await aWorldWith('ann')
  const program = await aProgram(world, ann)
  await world.untilWorkedOff()
  const [mail] = await world.mails(ann.email)
  expect(mail!.subject).toBe(`CI: a new access token for your ${product.name} account`)
  await world.openMail(ann.email)
  await program.cannot('listSubscriptions', {}, 'sessionEnded')
})

test('whoever takes over an account that another person made ends the tokens', async () => {
  const world = await aWorld()
  const eve = await world.aPerson('eve', { verified: false })
  const oobCode = await world.mailedCode(eve.email)
  const program = await aProgram(world, eve)
  await world.does('claimAccount', { oobCode, newPassword: 'battery staple' })
  await program.cannot('listSubscriptions', {}, 'sessionEnded')
})

test('an account that is disabled in whichever way loses its tokens', async () => {
  const [world, ann] = await aWorldWith('ann')
  const program = await aProgram(world, ann)
  await world.pool.query('update users set disabled = true')
  await world.pool.query('update users set disabled = false')
  await program.cannot('listSubscriptions', {}, 'sessionEnded')
})

test('a token’s maker is mailed once, a week before its end, and sees it for a month after', async () => {
  const [world, ann] = await aWorldWith('ann')
  const { now } = world.services
  const program = await aProgram(world, ann)
  const expires = Math.floor(now().getTime() / 1000) + 3600
  await aProgram(world, ann, { name: 'Short', expires })
  const told = async () => {
    for (const _ of ['once', 'again']) await otherJobs.removeExpired({}, world.services)
    await world.untilWorkedOff()
    return (await world.mails(ann.email)).filter(({ subject }) => subject.endsWith('ends soon'))
  }
  expect(await told()).toEqual([])
  world.pass(limits.accessTokens.life - limits.accessTokens.warned - day)
  expect(await told()).toEqual([])
  world.pass(2 * day)
  expect((await told()).map(({ subject }) => subject)).toEqual(['Your access token CI ends soon'])
  await program.does('listSubscriptions', {})
  world.pass(limits.accessTokens.warned)
  await program.cannot('listSubscriptions', {}, 'sessionEnded')
  const list = async () => {
    const { token } = await world.signedIn(ann)
    return (await world.does('listAccessTokens', {}, { token })).accessTokens
  }
  expect(await list()).toHaveLength(1)
  world.pass(limits.accessTokens.kept)
  await told()
  expect(await list()).toEqual([])
})

test('the activity log names the token that did something, and who made and revoked it', async () => {
  const { world, id, owner } = await aProject()
  const inProject = { subscriptionId: id }
  const program = await aProgram(world, owner, { ...inProject, name: 'Bridge' })
  await program.does('updateSubscriptionSettings', { ...inProject, settings: { name: 'x' } })
  await owner.does('revokeAccessToken', { accessTokenId: program.id })
  const { activity } = await owner.does('exportActivity', inProject)
  expect(activity.map(({ kind, actor, details }) => [kind, actor?.name, details])).toEqual([
    ['tokenRevoked', 'owner', { made: 'Bridge' }],
    ['settingsChanged', 'owner', { fields: ['name'], from: '', to: 'x', token: 'Bridge' }],
    ['tokenCreated', 'owner', { made: 'Bridge' }],
  ])
  await aProgram(world, owner)
  const { activity: own } = await owner.does('listOwnActivity', { area: 'account' })
  expect(own[0]).toMatchObject({ kind: 'ownTokenCreated', details: { made: 'CI' } })
})

test('a token has rate limits of its own', async () => {
  const { world, id, owner, own, ofProject } = await aProjectWithPrograms()
  const rename = { subscriptionId: id, settings: { name: 'x' } }
  const name = 'updateSubscriptionSettings'
  await world.useUp('writesByToken', `${own.id}:${name}`, rateLimits.writesByToken.tries)
  await own.cannot(name, rename, 'auth/too-many-requests')
  world.services.readLimits.consume('readsByToken', own.id, readLimits.readsByToken.tries)
  await own.cannot('listSubscriptions', {}, 'auth/too-many-requests')
  for (const caller of [ofProject, owner]) {
    await caller.does(name, rename)
    await caller.does('listSubscriptions', {})
  }
})

test('a repeated call of a program with an Idempotency-Key gets its first answer', async () => {
  const { id, own } = await aProjectWithPrograms()
  const invite = { subscriptionId: id, email: 'x@example.com', permissions: [] }
  const key = { 'idempotency-key': 'once' }
  const first = await own.does('createInvite', invite, key)
  expect(await own.does('createInvite', invite, key)).toEqual(first)
})

test('the line of a call by a program has the token’s id, and never its text', async () => {
  const { lines, log } = aLog('info')
  const world = await aWorld({}, log)
  const ann = await world.aPerson()
  const program = await aProgram(world, ann)
  await program.does('listSubscriptions', {})
  expect(JSON.parse(lines.at(-1)!)).toMatchObject({ call: 'listSubscriptions', token: program.id })
  expect(lines.join('\n')).not.toContain(program.token.slice(4, 20))
})

test('a program’s stream is about its project alone, and ends with its token on every server', async () => {
  const { world, id, owner, own, ofProject } = await aProjectWithPrograms()
  const { subscriptionId: otherId } = await owner.starts()
  const other = await openWorld(world.connection)
  const [all, one] = [await openTab(other, own.token), await openTab(other, ofProject.token)]
  for (const tab of [all, one]) await untilReady(tab)
  await owner.renames(otherId, 'Ferry')
  await owner.renames(id, 'Bridge')
  const heard = { all: new Set<string>(), one: new Set<string>() }
  while (!heard.all.has(id)) for (const it of (await all.change()).subscriptions) heard.all.add(it)
  expect(heard.all).toEqual(new Set([otherId, id]))
  await owner.does('revokeAccessToken', { accessTokenId: ofProject.id })
  for (let event = await one.next(); event.event === 'changed'; event = await one.next())
    for (const it of event.subscriptions) heard.one.add(it)
  expect(heard.one).toEqual(new Set([id]))
  await owner.does('revokeAccessToken', { accessTokenId: own.id })
  expect(await all.end()).toBe('sessionEnded')
})

async function untilReady(tab: Awaited<ReturnType<typeof openTab>>) {
  while ((await tab.next()).event !== 'ready');
}
