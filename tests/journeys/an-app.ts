import type { Page } from '@playwright/test'
import { TOTP } from 'otpauth'
import { ask } from './projects.ts'

/**
 * The codes of an app, each for one use: the present one, then the next, which the server accepts
 * already. No test needs a third one.
 */
export function codesOf(secret: string) {
  const app = new TOTP({ secret })
  const step = app.period * 1000
  let timestamp = Date.now() - step
  return () => app.generate({ timestamp: (timestamp += step) })
}

/** Turns the second step of the signed-in person on. Returns how to get the app's next code. */
export async function anApp(page: Page) {
  const { enrollmentId, secret = '' } = await ask(page, 'startFactorEnrollment', { type: 'totp' })
  const next = codesOf(secret)
  const first = { enrollmentId, code: next() }
  const { recoveryCodes } = await ask(page, 'finishFactorEnrollment', first)
  return { next, recoveryCodes: recoveryCodes! }
}
