import { index, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { subscriptions, users } from '../../server/store/schema.ts'

export const gadgets = pgTable(
  'gadgets',
  {
    id: text().primaryKey(),
    subscriptionId: text('subscription_id')
      .notNull()
      .references(() => subscriptions.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    note: text().notNull(),
    updatedBy: text('updated_by').references(() => users.id, { onDelete: 'set null' }),
    updatedAt: timestamp('updated_at', { withTimezone: true, mode: 'date' }).notNull(),
  },
  (table) => [
    index('gadgets_by_project').on(table.subscriptionId, table.updatedAt, table.id),
    index('gadgets_by_editor').on(table.updatedBy),
  ],
)
