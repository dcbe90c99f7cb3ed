// The bare server of the comparison: node:http and named statements, without checks of the input,
// rate limits or logs. It reads and writes the same rows as the product, under the same locks.
import { limits } from '../../config/limits.ts'
import { verify } from '@node-rs/argon2'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import pg from 'pg'
import { hashOf } from '../../server/platform/ids.ts'
import { statements, type Ask, type User } from './floor-statements.ts'
import { writes } from './floor-writes.ts'

const pool = new pg.Pool({
  connectionString: process.env['DATABASE_URL'],
  max: limits.calls.connections,
  // As the product does: see server/sql/database.ts.
  options: '-c enable_seqscan=off -c plan_cache_mode=force_generic_plan',
})
const passwordHash = process.env['PASSWORD_HASH']!

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    response.statusCode = 500
    response.end(String(error))
  })
})

async function answer(request: IncomingMessage, response: ServerResponse) {
  if (request.url === '/readyz') return response.end()
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = JSON.parse(Buffer.concat(chunks).toString())
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(await resultOf(request, body)))
}

async function resultOf({ url, headers }: IncomingMessage, body: Body) {
  if (url === '/api/signIn') return { result: await verify(passwordHash, body.data['password']!) }
  const ask = askOn(pool)
  if (url === '/webhooks/stripe') {
    const { object, id } = body.data['object'] as unknown as Record<string, string>
    await ask('addEvent', body.id, body.type, object, id)
    return { received: true }
  }
  const token = headers.authorization!.slice('Bearer '.length)
  const [user] = (await ask('who', hashOf(token), new Date())) as User[]
  if (url === '/api/listSubscriptions')
    return { result: { subscriptions: await ask('listSubscriptions', user!.id) } }
  const write = writes[url!.slice('/api/'.length) as keyof typeof writes]
  return { result: await inTransaction((ask) => write(ask, user!, body.data as never)) }
}

type Body = { id: string; type: string; data: Record<string, string> }

async function inTransaction<Result>(work: (ask: Ask) => Promise<Result>) {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await work(askOn(client))
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

function askOn(on: pg.Pool | pg.PoolClient): Ask {
  return async (name, ...values) => (await on.query({ name, text: statements[name], values })).rows
}

// Ends with the bench.
process.on('disconnect', () => process.exit())
server.listen(Number(process.env['PORT']), '127.0.0.1')
