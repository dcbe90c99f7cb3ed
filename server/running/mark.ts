import { dist } from '#dist'
import { existsSync, readFileSync } from 'node:fs'

/** A PNG of the product's mark, for mails and the sandbox. It comes with the built web app. */
export function readMark() {
  const file = new URL('icon-any-192.png', dist)
  return existsSync(file) ? readFileSync(file) : undefined
}
