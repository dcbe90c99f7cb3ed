import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { HashTask } from './hash-worker.ts'

/** argon2id at OWASP's minimum: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

let nobodys: Promise<string> | undefined

export async function hashPassword(password: string) {
  return run<string>({ kind: 'hash', password, cost })
}

/** Whether the password fits. Without a hash it takes as long and says no, so that time doesn't tell who has an account. */
export async function isPassword(password: string, hash: string | null | undefined) {
  nobodys ??= hashPassword('the password of nobody')
  const fits = await run<boolean>({ kind: 'verify', password, hash: hash ?? (await nobodys) })
  return fits && Boolean(hash)
}

type Hasher = { worker: Worker; waiting: Map<number, PromiseWithResolvers<never>> }

let hashers: Hasher[] | undefined
let count = 0

/** A thread per core, started with the first password: more at once would only take turns, and each needs its 19 MiB. */
async function run<Answer>(task: HashTask): Promise<Answer> {
  hashers ??= Array.from({ length: availableParallelism() }, startHasher)
  const { worker, waiting } = hashers.reduce((least, hasher) => (hasher.waiting.size < least.waiting.size ? hasher : least))
  const id = count++
  const pending = Promise.withResolvers<never>()
  waiting.set(id, pending)
  worker.postMessage({ id, task })
  return pending.promise
}

function startHasher(): Hasher {
  const worker = new Worker(new URL('hash-worker.ts', import.meta.url))
  const waiting: Hasher['waiting'] = new Map()
  // Whether the server goes on is not for an idle thread to say.
  worker.unref()
  worker.on('message', ({ id, answer }: { id: number; answer: never }) => {
    waiting.get(id)!.resolve(answer)
    waiting.delete(id)
  })
  worker.on('error', (error) => {
    for (const pending of waiting.values()) pending.reject(error)
    hashers = undefined
  })
  return { worker, waiting }
}
