import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { subscriptions, users } from '../../server/store/schema.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
const by = (name: string) => text(name).references(() => users.id, { onDelete: 'set null' })

export const documents = pgTable(
  'documents',
  {
    id: text().primaryKey(),
    subscriptionId: text('subscription_id')
      .notNull()
      .references(() => subscriptions.id, { onDelete: 'cascade' }),
    title: text().notNull(),
    text: text().notNull(),
    bytes: integer()
      .notNull()
      .generatedAlwaysAs(sql`octet_length(title) + octet_length("text")`),
    createdBy: by('created_by'),
    createdAt: at('created_at').notNull(),
    updatedBy: by('updated_by'),
    updatedAt: at('updated_at').notNull(),
  },
  (table) => [
    index('documents_by_project').on(table.subscriptionId, table.updatedAt, table.id),
    index('documents_by_creator').on(table.createdBy, table.id),
    index('documents_by_editor').on(table.updatedBy),
  ],
)
