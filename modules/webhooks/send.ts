import { once } from 'node:events'
import * as http from 'node:http'
import * as https from 'node:https'
import { limits } from './limits.ts'
import { lookupFor, notAllowed, type Target } from './target.ts'

/** What became of a request. Without an answer `status` is null; `took` is in milliseconds. */
export type Sent = {
  ok: boolean
  status: number | null
  answer: string | null
  error: string | null
  took: number
}

const failed = { ok: false, status: null, answer: null }

/** Requests of one run share a connection, whose address was checked as it was opened. */
export function openSender(target: Target | undefined, within: number = limits.answerWithin) {
  const { request, Agent } = target?.url.protocol === 'http:' ? http : https
  const agent = new Agent({ keepAlive: true })

  async function send(body: string, headers: Record<string, string>): Promise<Sent> {
    if (!target) return { ...failed, error: notAllowed, took: 0 }
    const began = performance.now()
    const took = () => Math.round(performance.now() - began)
    const signal = AbortSignal.timeout(within)
    const options = { method: 'POST', headers, agent, lookup: lookupFor(target), signal }
    const asked = request(target.url, options)
    // Also after the answer, when nobody waits for it.
    asked.on('error', () => undefined)
    try {
      const answered = once(asked, 'response')
      asked.end(body)
      const [response] = (await answered) as [http.IncomingMessage]
      const status = response.statusCode!
      const answer = await firstOf(response)
      return { ok: status >= 200 && status < 300, status, answer, error: null, took: took() }
    } catch (error) {
      const { code = 'failed' } = error as NodeJS.ErrnoException
      // The receiver has closed the connection between two requests.
      if (asked.reusedSocket && code === 'ECONNRESET') return send(body, headers)
      return { ...failed, error: signal.aborted ? 'timeout' : code, took: took() }
    }
  }

  return { send, [Symbol.dispose]: () => agent.destroy() }
}

/** Reads no more than is kept. */
async function firstOf(response: http.IncomingMessage) {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= limits.answerSize) break
  }
  // PostgreSQL keeps no null character.
  return Buffer.concat(chunks).subarray(0, limits.answerSize).toString().replaceAll('\0', '')
}
