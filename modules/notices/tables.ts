import { sql } from 'drizzle-orm'
import { boolean, index, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { subscriptions, users } from '../../server/store/schema.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

export const notices = pgTable(
  'notices',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text().notNull(),
    subscriptionId: text('subscription_id').references(() => subscriptions.id, {
      onDelete: 'cascade',
    }),
    /** The project's name at that time: whoever is removed from it learns no later one. */
    project: text().notNull(),
    /** What its mail says. */
    details: jsonb().$type<Record<string, unknown>>().notNull(),
    at: at('at').notNull(),
    readAt: at('read_at'),
    isListed: boolean('is_listed').notNull(),
    /** It waits for the mail of the day. */
    inDigest: boolean('in_digest').notNull(),
  },
  (table) => [
    index('notices_by_user').on(table.userId, table.at, table.id),
    index('notices_by_project').on(table.subscriptionId),
    index('notices_by_time').on(table.at),
    index('notices_for_digest')
      .on(table.userId, table.at)
      .where(sql`in_digest`),
  ],
)

/** Where people are, by the browser that they used last. Whoever has no row is in UTC. */
export const zones = pgTable('notices_zones', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  zone: text().notNull(),
})
