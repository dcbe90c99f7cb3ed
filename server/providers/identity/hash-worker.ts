import { hashSync, verifySync, type Options } from '@node-rs/argon2'
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'

export type HashTask =
  | { kind: 'hash'; password: string; cost: Options }
  | { kind: 'verify'; password: string; hash: string }

// Hashing takes what the rest leaves over, so that a rush of sign-ins slows down nothing else. Only Linux can say it of one thread.
if (process.platform === 'linux') setPriority(19)

parentPort!.on('message', (task: HashTask) => {
  parentPort!.postMessage(
    task.kind === 'hash'
      ? hashSync(task.password, task.cost)
      : verifySync(task.hash, task.password),
  )
})
