import { expect, test } from 'vitest'
import { findStep } from '../server/identity/second-step.ts'
import { codeAt } from './an-authenticator.ts'

// The secret and the codes of RFC 6238, appendix B, of which apps show the last six digits.
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

test.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('at second %i both sides compute the code of RFC 6238', (second, digits) => {
  const at = new Date(second * 1000)
  expect(codeAt(secret, at)).toBe(digits.slice(2))
  expect(findStep(secret, digits.slice(2), at)).toBe(Math.floor(second / 30))
})
