import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * A mail server that takes everything that `refuse` gives no other answer to. It is asked with each
 * command, with `CONNECT`, and with `.` when a mail has come whole.
 */
export async function aMailServer(
  port = 0,
  refuse: (command: string) => string | undefined | Promise<string> = () => undefined,
) {
  let received = ''
  const server = createServer((socket) => {
    let isMail = false
    const answer = async (command: string, usual: string) =>
      void socket.write(`${(await refuse(command)) ?? usual}\r\n`)
    void answer('CONNECT', '220 ready')
    socket.on('data', (data) => {
      const text = data.toString()
      received += text
      if (isMail && !received.endsWith('\r\n.\r\n')) return
      if (text.startsWith('QUIT')) return socket.end('221 bye\r\n')
      if (isMail) {
        isMail = false
        return void answer('.', '250 ok')
      }
      if (text.startsWith('EHLO')) return void answer(text, '250-ready\r\n250 AUTH PLAIN')
      isMail = text.startsWith('DATA')
      void answer(text, isMail ? '354 go on' : '250 ok')
    })
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port: own } = server.address() as AddressInfo
  return { url: `smtp://127.0.0.1:${own}?ignoreTLS=true`, sent: () => received }
}
