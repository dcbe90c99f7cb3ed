import { expect, test } from 'vitest'
import { aMailServer } from '../../../tests/mail-server.ts'
import { openKeyedHash } from '../../platform/keyed-hash.ts'
import { unobserved, type Observer, type Work } from '../../observe/observer.ts'
import { openSmtpMailer, RecipientRefused, watchedMailer } from './mailer.ts'

const from = 'Pergola <no-reply@example.com>'
const keyedHash = openKeyedHash('a key')
const mail = { to: 'ada@example.com', subject: 'Hi', text: 'Hi', html: '<img src="cid:mark">' }

test.each([
  ['RCPT', '550 5.1.1 no such user', 'refused'],
  ['RCPT', '550 unknown', 'refused'],
  ['RCPT', '552-5.2.2 mailbox\r\n552 5.2.2 full', 'refused'],
  ['.', '550 5.1.1 no such user', 'refused'],
  ['.', '554 5.2.1 mailbox disabled', 'refused'],
  ['RCPT', '554 5.7.1 relay access denied', 'unauthorized'],
  ['RCPT', '550 5.1.8 the sender’s domain is unknown', 'unauthorized'],
  ['.', '550 5.7.26 not authenticated', 'unauthorized'],
  ['.', '554 5.6.0 content', 'unauthorized'],
  ['.', '554 spam', 'unauthorized'],
  ['MAIL', '550 5.1.1 no such sender', 'unauthorized'],
  ['MAIL', '530 5.7.0 sign in first', 'unauthorized'],
  ['AUTH', '535 5.7.8 wrong password', 'unauthorized'],
  ['CONNECT', '554 5.7.1 you are on a list', 'unauthorized'],
  ['RCPT', '450 4.2.1 later', 'unavailable'],
  ['.', '451 4.7.1 greylisted', 'unavailable'],
])(
  'a mail server that answers %s with %s counts as %s, and only a refused recipient ends the tries',
  async (at, reply, outcome) => {
    const { url } = await aMailServer(0, (command) => (command.startsWith(at) ? reply : undefined))
    const withUser = url.replace('//', '//user:password@')
    const seen: Work[] = []
    const watch: Observer['watch'] = (work, run) => (seen.push(work), run())
    const options = { url: withUser, from, mark: undefined, keyedHash }
    const mailer = watchedMailer(await openSmtpMailer(options), { ...unobserved, watch })
    const error = await mailer.send(mail, '7').catch((error: unknown) => error)
    expect(seen).toMatchObject([{ provider: 'smtp', outcome }])
    expect(error instanceof RecipientRefused).toBe(outcome === 'refused')
  },
)

test('a mail sent through SMTP brings the mark that its HTML shows', async () => {
  const { url, sent } = await aMailServer()
  const mark = Buffer.from('a picture')
  await (await openSmtpMailer({ url, from, mark, keyedHash })).send(mail, '7')
  expect(sent()).toContain('Auto-Submitted: auto-generated')
  expect(sent()).not.toMatch(/^List-/m)
  expect(sent()).toContain('Content-ID: <mark>')
  expect(sent()).toContain('Content-Disposition: inline; filename=mark.png')
  expect(sent()).toContain(mark.toString('base64'))
})

test('a mail that its reader can switch off says of which list it is and where to leave it', async () => {
  const { url, sent } = await aMailServer()
  const unsubscribe = 'https://example.net/unsubscribe?token=t'
  const mailer = await openSmtpMailer({ url, from, mark: undefined, keyedHash })
  await mailer.send({ ...mail, unsubscribe }, '7')
  expect(sent()).toMatch(/^List-Id: <notices.example.com>/im)
  expect(sent()).toContain(`List-Unsubscribe: <${unsubscribe}>`)
  expect(sent()).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
})

test('a mail is sent through SMTP where the mark is missing, too', async () => {
  const { url, sent } = await aMailServer()
  await (await openSmtpMailer({ url, from, mark: undefined, keyedHash })).send(mail, '7')
  expect(sent()).toContain('Subject: Hi')
  expect(sent()).not.toContain('Content-ID')
})

test('a job that runs again sends its mail with the same message id, by which mailboxes show it once', async () => {
  const { url, sent } = await aMailServer()
  const mailer = await openSmtpMailer({ url, from, mark: undefined, keyedHash })
  for (const jobId of ['7', '7', '8']) await mailer.send(mail, jobId)
  const [first, again, other] = sent().match(/^Message-ID: <\S+@example.com>/gim)!
  expect(again).toBe(first)
  expect(other).not.toBe(first)
})
