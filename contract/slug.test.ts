import { expect, test } from 'vitest'
import { slugOf } from './slug.ts'

test.each([
  ['Pergola', 'pergola'],
  ['Café du Port', 'cafe-du-port'],
  ['Sail & Row 2.0!', 'sail-row-2-0'],
  ['アトリウム', 'app'],
])('the product %s is %s in cookies and files', (name, slug) => {
  expect(slugOf(name)).toBe(slug)
})
