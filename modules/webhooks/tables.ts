import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { subscriptions } from '../../server/store/schema.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

export const webhooks = pgTable(
  'webhooks',
  {
    id: text().primaryKey(),
    subscriptionId: text('subscription_id')
      .notNull()
      .references(() => subscriptions.id, { onDelete: 'cascade' }),
    url: text().notNull(),
    events: text().array().notNull(),
    status: text().$type<'on' | 'paused'>().notNull().default('on'),
    /** Why the server has paused it; null if a person did. */
    pausedBecause: text('paused_because').$type<'failing' | 'secretLost'>(),
    /** Sealed, as the former one, which signs along until `formerUntil`. */
    secret: text().notNull(),
    formerSecret: text('former_secret'),
    formerUntil: at('former_until'),
    createdAt: at('created_at').notNull(),
    /** The server that delivers; null if none does. */
    server: text(),
    /** When there is something to deliver; null if there is nothing. */
    nextAt: at('next_at'),
    /** How often in a row the first waiting event was refused, and when it is tried again. */
    failures: integer().notNull().default(0),
    retryAt: at('retry_at'),
  },
  (table) => [
    index('webhooks_by_project').on(table.subscriptionId, table.createdAt),
    index('webhooks_due').on(table.nextAt),
  ],
)

type State = 'new' | 'waiting' | 'asked' | 'delivered' | 'failed'

export const deliveries = pgTable(
  'webhooks_deliveries',
  {
    /** The same in all tries. */
    id: text()
      .primaryKey()
      .default(sql`'msg_' || replace(gen_random_uuid()::text, '-', '')`),
    webhookId: text('webhook_id')
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    /** The order of the events. */
    seq: bigint({ mode: 'number' }).generatedAlwaysAsIdentity(),
    /**
     * `new`: no server has seen it. `waiting` in its order. `asked`: it is sent once, outside the
     * order. `failed`: nothing sends it any more.
     */
    state: text().$type<State>().notNull().default('new'),
    event: text().notNull(),
    at: at('at').notNull(),
    /** People's ids. A request has their names of its time. */
    actorId: text('actor_id'),
    subjectId: text('subject_id'),
    details: jsonb().notNull(),
    tries: integer().notNull().default(0),
    /** Of the last try. `took` is in milliseconds; `status` is null without an answer. */
    triedAt: at('tried_at'),
    took: integer(),
    status: integer(),
    answer: text(),
    error: text(),
  },
  (table) => [
    index('webhooks_deliveries_new')
      .on(table.seq)
      .where(sql`state = 'new'`),
    index('webhooks_deliveries_open')
      .on(table.webhookId, table.state, table.seq)
      .where(sql`state in ('waiting', 'asked')`),
    index('webhooks_deliveries_by_webhook').on(table.webhookId, table.seq),
    index('webhooks_deliveries_by_time').on(table.at),
  ],
)
