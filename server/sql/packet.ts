import pg from 'pg'
import { prepareValue } from 'pg/lib/utils.js'

/** What `pg` offers a query of ours to send itself with. */
type Connection = {
  stream: { cork: () => void; uncork: () => void }
  /** The texts of prepared statements by name, and of those that PostgreSQL is to prepare. */
  parsedStatements: Record<string, string>
  submittedNamedStatements: Record<string, string>
  parse: (message: { name: string | undefined; text: string }) => void
  bind: (message: { statement: string | undefined; values: Value[] }) => void
  describe: (message: { type: 'P' }) => void
  execute: (message: object) => void
  sync: () => void
}

type Value = string | Buffer | null
type TypeId = Parameters<pg.CustomTypesConfig['getTypeParser']>[0]
type Field = { name: string; dataTypeID: TypeId }
/** A column of an answer, and how its values are read. */
type Column = { name: string; read: (text: string) => unknown }
type Config = {
  name?: string | undefined
  text: string
  /** What reads the values of columns, by the ids of their types. */
  types?: pg.CustomTypesConfig | undefined
  /** `array`: rows are arrays of values, and not objects. */
  rowMode?: string | undefined
}
type Result = { rows: unknown[]; rowCount: number }
type Query = Config & {
  prepared: Value[]
  columns: Column[] | undefined
  result: Result
  resolve: (result: Result) => void
  reject: (error: Error) => void
}

/** The columns of each connection's prepared statements, by name. They don't change. */
const known = new WeakMap<Connection, Map<string, Column[]>>()

/**
 * Queries that leave together and that PostgreSQL answers together, because one `Sync` follows them
 * all. It skips those after a failed one, and they fail with the same error.
 */
export class Packet extends pg.Query {
  readonly queries: Query[] = []
  /** `pg` notes under this name that PostgreSQL has prepared the text. */
  name: string | undefined
  text: string | undefined
  private connection!: Connection
  private answered = 0
  private readonly isInTransaction: boolean

  constructor({ isInTransaction }: { isInTransaction: boolean }) {
    super({ text: '' })
    this.isInTransaction = isInTransaction
  }

  add({ name, text, types, rowMode }: Config, values: unknown[] = []): Promise<Result> {
    const prepared = values.map((value) => prepareValue(value))
    const result = { rows: [], rowCount: 0 }
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const columns: Column[] | undefined = undefined
    this.queries.push({ name, text, types, rowMode, prepared, columns, result, resolve, reject })
    return promise.catch((error: Error) => {
      // The stack then leads to the code that asked.
      Error.captureStackTrace(error)
      throw error
    })
  }

  override submit = (connection: unknown) => {
    this.connection = connection as Connection
    this.connection.stream.cork()
    for (const query of this.queries) this.send(query)
    this.connection.sync()
    this.connection.stream.uncork()
    this.nameCurrent()
  }

  handleRowDescription({ fields }: { fields: Field[] }) {
    const { types = pg.types } = this.current
    this.current.columns = fields.map(({ name, dataTypeID }) => ({
      name,
      read: types.getTypeParser(dataTypeID, 'text'),
    }))
  }

  handleDataRow({ fields }: { fields: (string | null)[] }) {
    const { columns, rowMode, result } = this.current
    const row: Record<string, unknown> = {}
    const values = columns!.map(({ name, read }, index) => {
      const text = fields[index]!
      return (row[name] = text === null ? null : read(text))
    })
    result.rows.push(rowMode === 'array' ? values : row)
  }

  handleCommandComplete({ text }: { text: string }) {
    const { name, columns = [], result } = this.current
    result.rowCount = Number(/\d+$/.exec(text)?.[0] ?? 0)
    if (name) this.columnsByName.set(name, columns)
    this.answered++
    this.nameCurrent()
  }

  handleReadyForQuery() {
    for (const { resolve, result } of this.queries.slice(0, this.answered)) resolve(result)
  }

  handleError(error: Error, { submittedNamedStatements }: Connection) {
    // Without a transaction, the whole packet is one: PostgreSQL has undone it, perhaps at its end.
    if (!this.isInTransaction) this.answered = 0
    this.handleReadyForQuery()
    for (const { name, reject } of this.queries.slice(this.answered)) {
      // It may not have been prepared.
      if (name) delete submittedNamedStatements[name]
      reject(error)
    }
  }

  private send(query: Query) {
    const { parsedStatements, submittedNamedStatements } = this.connection
    const { name, text, prepared } = query
    if (name === undefined || !(parsedStatements[name] ?? submittedNamedStatements[name])) {
      this.connection.parse({ name, text })
      if (name) submittedNamedStatements[name] = text
    }
    this.connection.bind({ statement: name, values: prepared })
    query.columns = name === undefined ? undefined : this.columnsByName.get(name)
    if (!query.columns) this.connection.describe({ type: 'P' })
    this.connection.execute({})
  }

  private get columnsByName() {
    const columns = known.get(this.connection) ?? new Map<string, Column[]>()
    known.set(this.connection, columns)
    return columns
  }

  private get current() {
    return this.queries[this.answered]!
  }

  private nameCurrent() {
    const { name, text } = this.queries[this.answered] ?? {}
    Object.assign(this, { name, text })
  }
}
