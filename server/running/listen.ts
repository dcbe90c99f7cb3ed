import { engineLimits } from '#config/limits.ts'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { refusingCalls } from './busy.ts'
import { closingOf } from './closing.ts'
import {
  isLoopback,
  isProxy,
  networkOf,
  parseAddress,
  type TrustedProxies,
} from '../platform/networks.ts'
import { unobserved, type Observer } from '../observe/observer.ts'
import { StartError } from '../platform/start-error.ts'

type Options = {
  host: string
  port: number
  trustedProxies: TrustedProxies
  isBusy?: () => boolean
  observer?: Observer
}

export async function listen(
  app: Pick<Hono, 'fetch'>,
  { host, port, trustedProxies, isBusy = () => false, observer = unobserved }: Options,
) {
  const { headersTimeout, timeout: requestTimeout, connections } = engineLimits.requests
  // With a shorter queue, a crowd's connections are dropped, and tried again after a second.
  const backlog = connections
  const serverOptions = {
    headersTimeout,
    requestTimeout,
    connectionsCheckingInterval: headersTimeout / 5,
  }
  const answer = getRequestListener(app.fetch, { hostname: host })
  const server = createServer(
    serverOptions,
    refusingCalls(isBusy, (request, response) => void answer(request, response), observer),
  ).listen({ port, host, backlog })
  const close = closingOf(server)
  server.maxConnections = connections
  server.on('connection', boundByNetwork(trustedProxies))
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw refusal(error, host, port)
  })
  return { port: (server.address() as AddressInfo).port, close }
}

/** Closes new connections from a network with too many, unless it is a proxy or this machine. */
function boundByNetwork(trustedProxies: TrustedProxies) {
  const open = new Map<string, number>()
  return (socket: Socket) => {
    const address = parseAddress(socket.remoteAddress)
    if (address === undefined || isLoopback(address) || isProxy(address, trustedProxies)) return
    const network = networkOf(address)
    const count = open.get(network) ?? 0
    if (count >= engineLimits.requests.connectionsByNetwork) {
      socket.destroy()
      return
    }
    open.set(network, count + 1)
    socket.once('close', () => {
      const left = open.get(network)! - 1
      if (left > 0) open.set(network, left)
      else open.delete(network)
    })
  }
}

function refusal(error: NodeJS.ErrnoException, host: string, port: number) {
  if (error.code === 'EADDRINUSE')
    return new StartError(
      `Port ${port} on ${host} is taken. Stop what uses it, or choose another port.`,
    )
  if (error.code === 'EACCES')
    return new StartError(
      `Port ${port} on ${host} may not be used by this user. Choose one above 1023.`,
    )
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new StartError(`HOST=${host} is not an address of this machine.`)
  return error
}
