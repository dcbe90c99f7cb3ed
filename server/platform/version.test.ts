import { expect, test } from 'vitest'
import { version } from './version.ts'

test('the version is three numbers, as semantic versioning writes it', () =>
  expect(version).toMatch(/^\d+\.\d+\.\d+$/))
