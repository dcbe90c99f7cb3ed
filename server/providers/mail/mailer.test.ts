import { expect, test } from 'vitest'
import { aMailServer } from '../../../tests/mail-server.ts'
import { openKeyedHash } from '../../platform/keyed-hash.ts'
import { openSmtpMailer } from './mailer.ts'

const from = 'Atrium <no-reply@example.com>'
const keyedHash = openKeyedHash('a key')
const mail = { to: 'ada@example.com', subject: 'Hi', text: 'Hi', html: '<img src="cid:mark">' }

test('a mail sent through SMTP brings the mark that its HTML shows', async () => {
  const { url, sent } = await aMailServer()
  const mark = Buffer.from('a picture')
  await (await openSmtpMailer({ url, from, mark, keyedHash })).send(mail, '7')
  expect(sent()).toContain('Content-ID: <mark>')
  expect(sent()).toContain('Content-Disposition: inline; filename=mark.png')
  expect(sent()).toContain(mark.toString('base64'))
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
