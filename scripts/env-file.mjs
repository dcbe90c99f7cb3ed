import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fail, root } from './install.mjs'

/**
 * Adds the variables of the file .env to the environment, which wins. Returns whether there is such
 * a file. Tests set NODE_ENV=test, so that they don't depend on it.
 */
export function readEnvFile() {
  const file = join(root, '.env')
  if (process.env.NODE_ENV === 'test' || !existsSync(file)) return false
  if (!process.loadEnvFile) fail('.env can only be read by Node 20.12 or newer. Install it.')
  try {
    process.loadEnvFile(file)
  } catch (error) {
    fail(`.env can not be read: ${error.message}`)
  }
  return true
}
