import { limits } from '#config/limits.ts'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { HashTask } from './hash-worker.ts'
import { openTurns } from '../../platform/turns.ts'
import { normalize } from './password-rules.ts'

const { cost } = limits.passwords

const kind = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`
/** A hash that no password matches. Verifying it takes as long as verifying a real hash. */
const unusableHash = `${kind}${'A'.repeat(22)}$${'A'.repeat(43)}`

export async function hashPassword(password: string, caller: string) {
  return run<string>(caller, { kind: 'hash', password, cost })
}

/** Whether a hash has another kind or cost than new ones have. */
export function isOutdated(hash: string) {
  return !hash.startsWith(kind)
}

/** Without a hash this takes as long, so that the time doesn't show whether there is an account. */
export async function isPassword(
  password: string,
  hash: string | null | undefined,
  caller: string,
) {
  // Old hashes are of passwords as typed, not normalized.
  for (const form of new Set([normalize(password), password]))
    if (await run<boolean>(caller, { kind: 'verify', password: form, hash: hash ?? unusableHash }))
      return true
  return false
}

/** More threads than processors would not be faster, and each needs memory. */
export const hashingThreads = Math.min(availableParallelism(), limits.passwords.threads)
const turns = openTurns({
  atOnce: hashingThreads,
  places: hashingThreads * limits.passwords.waitingPerThread,
})
/** The thread that was used last is at the end. */
const idle: { worker: Worker; ending: NodeJS.Timeout }[] = []
// The worker's file ends in `.ts` in development and in `.js` in the bundle, as this file does.
const workerFile = new URL(`hash-worker${extname(import.meta.url)}`, import.meta.url)
/** In MiB, for JavaScript alone. The library has the memory for hashing from elsewhere. */
const resourceLimits = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32 }

async function run<Answer>(caller: string, task: HashTask): Promise<Answer> {
  return turns.inTurn(caller, async () => {
    const worker = takeIdle() ?? new Worker(workerFile, { resourceLimits })
    worker.ref()
    worker.postMessage(task)
    const [answer] = (await once(worker, 'message')) as [Answer]
    // A thread that failed never gets here.
    keepIdle(worker)
    return answer
  })
}

function takeIdle() {
  const thread = idle.pop()
  clearTimeout(thread?.ending)
  return thread?.worker
}

/** Ends the thread if it stays idle, because it holds some ten megabytes. */
function keepIdle(worker: Worker) {
  const end = () => {
    idle.splice(idle.indexOf(thread), 1)
    void worker.terminate()
  }
  const thread = { worker, ending: setTimeout(end, limits.passwords.threadKept).unref() }
  idle.push(thread)
  // Lets the process exit meanwhile.
  worker.unref()
}
