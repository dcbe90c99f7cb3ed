declare module 'pg/lib/utils.js' {
  /** The text of a value for PostgreSQL. Throws if the value has none. */
  export function prepareValue(value: unknown): string | Buffer | null
}
