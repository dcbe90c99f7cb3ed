import { readFileSync } from 'node:fs'

/** Whether a process runs. One that has ended and waits for its parent to notice does not, and in a container it may wait for good. */
export function isAlive(pid: number) {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return !isZombie(pid)
}

function isZombie(pid: number) {
  try {
    return /\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
