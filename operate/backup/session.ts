import type pg from 'pg'
import { liftLimits } from '../../server/migrate/change-schema.ts'

/**
 * Sets what the role, the database or PostgreSQL may have set otherwise: values have the same text
 * on both sides, no row is hidden, and nothing is ended by a timeout.
 */
export async function prepareSession(client: pg.Client) {
  await liftLimits(client)
  await client.query(`
    set client_encoding = 'UTF8'; set datestyle = 'ISO, MDY'; set timezone = 'UTC';
    set intervalstyle = 'postgres'; set extra_float_digits = 1; set bytea_output = 'hex';
    set row_security = off`)
}
