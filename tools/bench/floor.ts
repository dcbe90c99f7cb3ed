import { verify } from '@node-rs/argon2'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import pg from 'pg'
import { hashOf } from '../../server/platform/ids.ts'

// The bare server of the comparison: node:http and named statements, without checks.
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 12 })
const hash = process.env['PASSWORD_HASH']!

const who = `select u.*, s.id session_id, s.signed_in_at from session_tokens t join sessions s on s.id = t.session_id join users u on u.id = s.user_id
  where t.hash = $1 and t.kind = 'access' and t.expires_at > $2`
const projects = `select s.*, (select coalesce(json_agg(json_build_array(m.user_id, m.permissions) order by m.created_at, m.user_id), '[]')
    from members m where m.subscription_id = s.id) held
  from subscriptions s join members mine on mine.subscription_id = s.id and mine.user_id = $1 where s.status <> 'incomplete' order by s.created_at desc, s.id desc`

const event = `insert into bare_events (id, type, object_type, object_id, received_at) values ($1, $2, $3, $4, now()) on conflict do nothing`

const server = createServer((request, response) => void answer(request, response))

async function answer(request: IncomingMessage, response: ServerResponse) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = JSON.parse(Buffer.concat(chunks).toString())
  response.setHeader('content-type', 'application/json')
  if (request.url === '/hash') {
    await verify(hash, body.password)
    return response.end('{}')
  }
  if (request.url === '/event') {
    const { object } = body.data
    await pool.query({
      name: 'event',
      text: event,
      values: [body.id, body.type, object.object, object.id],
    })
    return response.end('{}')
  }
  const token = request.headers.authorization!.slice(7)
  const {
    rows: [user],
  } = await pool.query({ name: 'who', text: who, values: [hashOf(token), new Date()] })
  const { rows } = await pool.query({ name: 'projects', text: projects, values: [user.id] })
  response.end(JSON.stringify({ result: { subscriptions: rows } }))
}

server.listen(Number(process.env['PORT']), '127.0.0.1', () => process.send?.('ready'))
