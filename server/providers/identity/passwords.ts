import { limits } from '#config/limits.ts'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { HashTask } from './hash-worker.ts'
import { normalize } from './password-rules.ts'
import { openTurns } from './turns.ts'

/** argon2id at OWASP's minimum: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Takes as long to verify as a real hash, and no password fits it. */
const unusableHash = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`

export async function hashPassword(password: string, caller: string) {
  return run<string>(caller, { kind: 'hash', password, cost })
}

/**
 * Whether the password fits, normalized or as typed: hashes from before passwords were normalized
 * are of the text as typed. Without a hash it takes as long and returns false, so that the time
 * doesn't show whether there is an account.
 */
export async function isPassword(
  password: string,
  hash: string | null | undefined,
  caller: string,
) {
  for (const form of new Set([normalize(password), password]))
    if (await run<boolean>(caller, { kind: 'verify', password: form, hash: hash ?? unusableHash }))
      return true
  return false
}

/** One for each processor: more would not be faster, and each needs 19 MiB. */
export const hashingThreads = Math.min(availableParallelism(), limits.passwords.threads)
const inTurn = openTurns({
  atOnce: hashingThreads,
  places: hashingThreads * limits.passwords.waitingPerThread,
})
const idle: Worker[] = []
// In the bundle it is JavaScript.
const workerFile = new URL(`hash-worker${extname(import.meta.url)}`, import.meta.url)

async function run<Answer>(caller: string, task: HashTask): Promise<Answer> {
  return inTurn(caller, async () => {
    const worker = idle.pop() ?? new Worker(workerFile)
    worker.ref()
    worker.postMessage(task)
    const [answer] = (await once(worker, 'message')) as [Answer]
    // An idle thread must not keep the process alive. A thread that failed does not come back here.
    worker.unref()
    idle.push(worker)
    return answer
  })
}
