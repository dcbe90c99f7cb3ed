import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { openSmtpMailer } from './mailer.ts'

const mail = { to: 'ada@example.com', subject: 'Hi', text: 'Hi', html: '<img src="cid:mark">' }

test('a mail sent through SMTP brings the mark that its HTML shows', async () => {
  const { url, sent } = await aMailServer()
  const mailer = await openSmtpMailer({
    url,
    from: 'no-reply@localhost',
    mark: Buffer.from('a picture'),
  })
  await mailer.send(mail)
  expect(sent()).toContain('Content-ID: <mark>')
  expect(sent()).toContain('Content-Disposition: inline; filename=mark.png')
  expect(sent()).toContain(Buffer.from('a picture').toString('base64'))
})

test('a mail is sent through SMTP where the mark is missing, too', async () => {
  const { url, sent } = await aMailServer()
  const mailer = await openSmtpMailer({ url, from: 'no-reply@localhost', mark: undefined })
  await mailer.send(mail)
  expect(sent()).toContain('Subject: Hi')
  expect(sent()).not.toContain('Content-ID')
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
