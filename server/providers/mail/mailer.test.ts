import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
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

/** A mail server that takes everything. */
async function aMailServer() {
  let received = ''
  const server = createServer((socket) => {
    let isMail = false
    socket.write('220 ready\r\n')
    socket.on('data', (data) => {
      const text = data.toString()
      received += text
      if (isMail && !received.endsWith('\r\n.\r\n')) return
      if (text.startsWith('QUIT')) return socket.end('221 bye\r\n')
      isMail = text.startsWith('DATA')
      socket.write(isMail ? '354 go on\r\n' : '250 ok\r\n')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { url: `smtp://127.0.0.1:${port}?ignoreTLS=true`, sent: () => received }
}
