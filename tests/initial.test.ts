import { expect, test } from 'vitest'
import { initialOf } from '../client/components/initial.ts'

test('the initial of a name is its first letter as people see it', () => {
  const names = [
    ['ann', 'A'],
    [' e\u0301mile', 'E\u0301'],
    ['김하늘'.normalize('NFD'), '김'.normalize('NFD')],
    ['👩‍👧 Ann', '👩‍👧'],
    ['🇫🇷 Émile', '🇫🇷'],
    ['क्षमा', 'क्ष'],
    ['  ', '?'],
  ]
  for (const [name, initial] of names) expect(initialOf(name!), name).toBe(initial)
})
