import { limits } from '#config/limits.ts'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { HashTask } from './hash-worker.ts'
import { openTurns } from './turns.ts'

/** argon2id at OWASP's minimum: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Costs as much as a real one, and fits nothing. */
const nobodys = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`

export async function hashPassword(password: string, caller: string) {
  return run<string>(caller, { kind: 'hash', password, cost })
}

/** Whether the password fits. Without a hash it takes as long and says no, so that time doesn't tell who has an account. */
export async function isPassword(password: string, hash: string | null | undefined, caller: string) {
  return run<boolean>(caller, { kind: 'verify', password, hash: hash ?? nobodys })
}

type Hasher = { worker: Worker; task?: PromiseWithResolvers<unknown> | undefined }

/** One for each processor, started with the first password: more would only take turns, and each needs its 19 MiB. */
export const hashingThreads = Math.min(availableParallelism(), limits.passwords.threads)
const inTurn = openTurns({ atOnce: hashingThreads, places: hashingThreads * limits.passwords.waitingPerThread })
let hashers: Hasher[] | undefined

async function run<Answer>(caller: string, task: HashTask): Promise<Answer> {
  return inTurn(caller, async () => {
    hashers ??= Array.from({ length: hashingThreads }, startHasher)
    const hasher = hashers.find(({ task }) => !task)!
    hasher.task = Promise.withResolvers<unknown>()
    hasher.worker.postMessage(task)
    return hasher.task.promise as Promise<Answer>
  })
}

function startHasher(): Hasher {
  const worker = new Worker(new URL('hash-worker.ts', import.meta.url))
  const hasher: Hasher = { worker }
  // Whether the server goes on is not for an idle thread to say.
  worker.unref()
  worker.on('message', (answer: unknown) => {
    const { task } = hasher
    hasher.task = undefined
    task!.resolve(answer)
  })
  worker.on('error', (error) => {
    hashers = undefined
    hasher.task?.reject(error)
  })
  return hasher
}
