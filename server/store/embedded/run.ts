import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { asUser, type User } from './unprivileged.ts'

/** Runs one of PostgreSQL's programs to its end and gives what it had to complain about, or nothing if it succeeded. */
export async function complaintsOf(
  program: string,
  args: string[],
  { user, input = '' }: { user: User | undefined; input?: string },
) {
  const child = spawn(program, args, { ...asUser(user), stdio: ['pipe', 'ignore', 'pipe'] })
  const { promise: ended, resolve, reject } = Promise.withResolvers<number | null>()
  child.on('error', reject)
  child.on('close', resolve)
  // A program that ends without reading says why by itself.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const [code, complaints] = await Promise.all([ended, text(child.stderr)])
  return code === 0 ? undefined : worstOf(complaints)
}

/** The lines of a log that tell why something failed, as one. */
export function worstOf(log: string) {
  const lines = log
    .split('\n')
    .map((line) => line.replace(/^[-\d]+ [\d:.]+ \w+ \[\d+\] /, '').trim())
    .filter(Boolean)
  const bad = lines.filter((line) => /fatal|panic|error|hint/i.test(line))
  return (bad.length > 0 ? bad : lines).slice(-3).join(' ') || 'it gave no reason.'
}
