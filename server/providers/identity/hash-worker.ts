import { hashSync, verifySync, type Options } from '@node-rs/argon2'
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'

export type HashTask =
  | { kind: 'hash'; password: string; cost: Options }
  | { kind: 'verify'; password: string; hash: string }

// Hashing gets the lowest priority, so that a flood of passwords slows down nothing else: with the
// library's own threads it makes reads three times slower. Only Linux can set it for one thread.
if (process.platform === 'linux') setPriority(19)

parentPort!.on('message', (task: HashTask) => {
  parentPort!.postMessage(
    task.kind === 'hash'
      ? hashSync(task.password, task.cost)
      : verifySync(task.hash, task.password),
  )
})
