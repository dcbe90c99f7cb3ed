import { hashSync, type Options } from '@node-rs/argon2'
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { isHashOf } from './stored-hashes.ts'

export type HashTask =
  | { kind: 'hash'; password: string; cost: Options }
  | { kind: 'verify'; password: string; hash: string }

// Many passwords at once must slow down nothing else. On the library's own threads, of normal
// priority, they made reads three times slower. Only Linux can set the priority of one thread.
if (process.platform === 'linux') setPriority(19)

parentPort!.on('message', (task: HashTask) => {
  parentPort!.postMessage(
    task.kind === 'hash' ? hashSync(task.password, task.cost) : isHashOf(task.hash, task.password),
  )
})
