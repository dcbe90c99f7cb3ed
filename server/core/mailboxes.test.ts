// @module-tag slow
import { limits, rateLimits } from '#config/limits.ts'
import { expect, test } from 'vitest'
import { aWorld, countOutcomes, reasonOf } from '../../tests/world.ts'
import { mailboxOf } from './mailboxes.ts'

const inAll = rateLimits.mailsToMailbox.tries
const bySender = rateLimits.mailsBySender.tries
const password = 'correct horse'

test.each([
  ['victim+1@example.com', 'victim@example.com'],
  ['victim+a+b@example.com', 'victim@example.com'],
  ['v.i.ctim@example.com', 'v.i.ctim@example.com'],
  ['v.i.ctim+1@gmail.com', 'victim@gmail.com'],
  ['vic.tim@googlemail.com', 'victim@gmail.com'],
  ['vic-tim_1@pm.me', 'victim1@proton.me'],
  ['vic.tim@yandex.ru', 'victim@yandex.com'],
  ['victim+x@ya.ru', 'victim@yandex.com'],
])('the mailbox of %s is %s', (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox)
})

/** A world where the requests of a test can come from several networks. */
async function aWorldWithNetworks() {
  const world = await aWorld({ TRUST_PROXY: '1' })
  const from = (network: number) => ({
    headers: { 'x-forwarded-for': `203.0.113.${network}` },
  })
  const signUp = async (email: string, network: number) =>
    world.call('signUp', { fullName: 'Eve', email, password }, from(network))
  const countMails = async (addresses: string[]) =>
    (await Promise.all(addresses.map((email) => world.mails(email)))).flat().length
  return { world, from, signUp, countMails }
}

test('of many sign-ups with addresses of one mailbox, all succeed and few are mailed', async () => {
  const { world, from, signUp, countMails } = await aWorldWithNetworks()
  const addresses = Array.from({ length: 15 }, (_, n) => `vic${n % 2 ? '.' : ''}tim+${n}@gmail.com`)
  const one = await Promise.all(addresses.slice(0, 9).map((email) => signUp(email, 1)))
  expect(await countMails(addresses)).toBe(bySender)
  const other = await Promise.all(addresses.slice(9).map((email) => signUp(email, 2)))
  expect(await countMails(addresses)).toBe(inAll)
  expect(countOutcomes([...one, ...other])).toEqual({ done: 15 })

  const { result } = await signUp('victim@gmail.com', 3)
  const { user, token } = result!
  expect(user).not.toHaveProperty('verificationSent')
  const options = { ...from(3), token }
  const asked = await world.call('sendVerificationEmail', {}, options)
  expect([asked.status, reasonOf(asked)]).toEqual([429, 'auth/too-many-requests'])
  expect(asked.error!.details!['retryAfter']).toBeGreaterThan(23 * 3600)
  expect((await signUp('another@gmail.com', 1)).result!.user).toHaveProperty('verificationSent')
})

test('an account with an unproved address can’t be made to flood its mailbox', async () => {
  const { world, from, signUp, countMails } = await aWorldWithNetworks()
  const address = 'victim@example.com'
  for (let network = 0; network < 8; network++) {
    const { token, user } = (await signUp(address, network)).result!
    const options = { ...from(network), token }
    const { subscriptionId } = await world.does('createSubscription', { planId: 'free' }, options)
    const cancellation = { subscriptionId, confirmationId: subscriptionId }
    await world.does('cancelSubscription', cancellation, options)
    await world.does('updatePassword', { newPassword: `${password} again` }, options)
    await world.does('sendPasswordResetEmail', { email: address }, from(network))
    await world.signedIn({ email: address, password: `${password} again` })
    await world.untilWorkedOff()
    await world.does('deleteAccount', { confirmationId: user.uid }, options)
  }
  await world.untilWorkedOff()
  expect(await countMails([address])).toBe(inAll)
})

test('a verified owner has a valid reset link, however often others ask for one', async () => {
  const { world, from } = await aWorldWithNetworks()
  const ann = await world.aPerson('ann')
  const resets = async () => {
    await world.untilWorkedOff()
    return (await world.mails(ann.email)).filter(({ links }) => /=resetPassword/.test(links[0]!))
      .length
  }
  const ask = async (networks: number[]) => {
    for (const network of networks)
      await world.does('sendPasswordResetEmail', { email: ann.email }, from(network))
    return resets()
  }
  // The mailbox has had ten other mails today.
  await world.useUp('mailsToMailbox', world.mailbox(ann.email), inAll)
  expect(await ask([1, 2, 3])).toBe(1)
  world.pass(limits.actionCodes.resetPassword)
  expect(await ask([4, 5, 6])).toBe(2)
  const oobCode = await world.mailedCode(ann.email)
  await world.does('confirmPasswordReset', { oobCode, newPassword: 'new secret' })
  expect(await ask([7])).toBe(3)
})

test('a change to an address whose mailbox is full is refused, and counts with other mails', async () => {
  const { world, signUp, countMails } = await aWorldWithNetworks()
  const eve = await world.aPerson('eve')
  const newEmail = (n: number) => `victim+${n}@example.com`
  const addresses = Array.from({ length: 5 }, (_, n) => newEmail(n))
  for (const email of addresses.slice(0, 4)) {
    await eve.does('updateEmail', { newEmail: email })
    await world.untilWorkedOff()
  }
  for (let network = 0; network < 6; network++)
    await signUp(`victim+s${network}@example.com`, network)
  await eve.cannot('updateEmail', { newEmail: newEmail(4) }, 'auth/too-many-requests')
  expect(await countMails(addresses)).toBe(4)
})
