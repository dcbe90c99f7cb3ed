import { DrizzleQueryError } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openLogger } from './log.ts'

test('the log line of a failed database query does not contain the query’s parameters', () => {
  const lines: string[] = []
  const log = openLogger('info', { write: (line) => void lines.push(line) })
  const cause = Object.assign(new Error('canceling statement due to statement timeout'), {
    code: '57014',
  })
  log.error(
    {
      err: new DrizzleQueryError(
        'insert into users values ($1)',
        ['ann@example.com', '$argon2id$secret'],
        cause,
      ),
    },
    'failed',
  )
  log.error({ err: new Error('plain') }, 'failed')
  expect(lines.join('')).not.toMatch(/ann@example|argon2id/)
  expect(lines[0]).toContain('"code":"57014"')
  expect(lines[0]).toContain('insert into users')
  expect(lines[1]).toContain('plain')
})
