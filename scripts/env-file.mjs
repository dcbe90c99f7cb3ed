import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fail, root, say } from './install.mjs'

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
  for (const line of strayLines(readFileSync(file, 'utf8')))
    say(`.env: “${line}” sets nothing. A line is NAME=value, or begins with #.`)
  return true
}

/** Values in quotes may have several lines. */
function strayLines(text) {
  const lines = text.replace(/=\s*(["'`])[^]*?\1/g, '=').split('\n')
  return lines.filter((line) => !/^\s*(#|$|(export\s+)?[\w.-]+\s*=)/.test(line))
}
