import { expect, test } from 'vitest'
import { loggingFirstFailure } from '../store/first-failure.ts'

test('of failures in a row, only the first is logged', async () => {
  const lines: string[] = []
  const log = {
    info: () => undefined,
    error: (about: object, message: string) =>
      void lines.push(`${message}: ${(about as { err: Error }).err.message}`),
  }
  const logging = loggingFirstFailure(log, 'could not look')
  const fail = (why: string) => logging(() => Promise.reject(new Error(why)))

  await fail('away')
  await fail('still away')
  await logging(() => Promise.resolve())
  await fail('away again')
  expect(lines).toEqual(['could not look: away', 'could not look: away again'])
})
