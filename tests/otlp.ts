import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

export type ReceivedSpan = {
  service: Record<string, unknown>
  traceId: string
  spanId: string
  parentId: string
  name: string
  attributes: Record<string, unknown>
  isError: boolean
}

/** Takes traces as OpenTelemetry's collector does: in protobuf, over HTTP. */
export async function anOtlpReceiver({ status = 200 } = {}) {
  const spans: ReceivedSpan[] = []
  const bodies: Buffer[] = []
  const server = createServer((request, response) => void take(request, response)).listen(
    0,
    '127.0.0.1',
  )
  async function take(request: IncomingMessage, response: ServerResponse) {
    const body = await buffer(request)
    if (request.url === '/v1/traces') spans.push(...spansIn(body))
    bodies.push(body)
    response.writeHead(status, { 'content-type': 'application/x-protobuf' }).end()
  }

  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    /** All that was received, as text. */
    text: () => Buffer.concat(bodies).toString('latin1'),
  }
}

/** https://github.com/open-telemetry/opentelemetry-proto: its numbers of fields. */
function spansIn(request: Buffer): ReceivedSpan[] {
  return all(request, 1).flatMap((ofResource) => {
    const service = attributesIn(all(first(ofResource, 1), 1))
    return all(ofResource, 2).flatMap((ofScope) =>
      all(ofScope, 2).map((span) => ({
        service,
        traceId: first(span, 1).toString('hex'),
        spanId: first(span, 2).toString('hex'),
        parentId: first(span, 4).toString('hex'),
        name: first(span, 5).toString(),
        attributes: attributesIn(all(span, 9)),
        isError: numberIn(first(span, 15), 3) === 2,
      })),
    )
  })
}

function attributesIn(pairs: Buffer[]) {
  return Object.fromEntries(
    pairs.map((pair) => {
      const value = first(pair, 2)
      const text = all(value, 1)[0]
      return [first(pair, 1).toString(), text ? text.toString() : numberIn(value, 3)]
    }),
  )
}

const nothing = Buffer.alloc(0)

function all(message: Buffer, wanted: number) {
  return [...fieldsOf(message)].flatMap(({ field, bytes }) =>
    field === wanted && bytes ? [bytes] : [],
  )
}

function first(message: Buffer, wanted: number) {
  return all(message, wanted)[0] ?? nothing
}

function numberIn(message: Buffer, wanted: number) {
  return [...fieldsOf(message)].find(({ field }) => field === wanted)?.value
}

/** The fields of a message in protobuf: a number or bytes, behind the field's number and type. */
function* fieldsOf(message: Buffer) {
  let at = 0
  const varint = () => {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = message[at++]!
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
  }
  const take = (length: number) => message.subarray(at, (at += length))
  while (at < message.length) {
    const tag = varint()
    const field = Math.floor(tag / 8)
    if (tag % 8 === 0) yield { field, value: varint() }
    else yield { field, bytes: take({ 1: 8, 5: 4 }[tag % 8] ?? varint()) }
  }
}
