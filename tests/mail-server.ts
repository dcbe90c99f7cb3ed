import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A mail server that takes everything. */
export async function aMailServer(port = 0) {
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
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port: own } = server.address() as AddressInfo
  return { url: `smtp://127.0.0.1:${own}?ignoreTLS=true`, sent: () => received }
}
