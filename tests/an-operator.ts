import { pino } from 'pino'
import { admin, readAdmin } from '../operate/commands/admin.ts'
import { readEnv } from '../server/running/env.ts'
import { publicUrl, secretKey, webhookSecret, type World } from './world.ts'

/** What the command prints for programs: fields of one thing, or lists of things. */
type Thing = { id: string; kind: string; by: string; renews: string; [field: string]: unknown }
type Field =
  | 'people'
  | 'projects'
  | 'limits'
  | 'factors'
  | 'activity'
  | 'ours'
  | 'provider'
  | 'events'
  | 'jobs'
  | 'refusedMails'
  | 'servers'
  | 'acts'
type Json = Record<Field, Thing & [Thing, ...Thing[]]>

/** The admin command on the database of a world. `json` reads what it prints for programs. */
export function adminOf({ connection }: Pick<World, 'connection'>) {
  const secrets = { STRIPE_WEBHOOK_SECRET: webhookSecret, SECRET_KEY: secretKey }
  const env = readEnv({ PUBLIC_URL: publicUrl, ...secrets })
  const log = pino({ level: 'silent' })
  const run = async (...args: string[]) => {
    const { asked } = await readAdmin([...args, '--by', 'maria', '--yes'])
    return admin({ connection, env, log }, asked!)
  }
  const json = async (...args: string[]) => JSON.parse(await run(...args, '--json')) as Json
  return { run, json, acts: async () => (await json('log')).acts.toReversed() }
}
