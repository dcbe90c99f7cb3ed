import { afterEach } from 'vitest'
import { takeRequests } from './account.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** What the test asked of the provider. */
    requests?: string[]
  }
}

afterEach(({ task }) => {
  task.meta.requests = takeRequests()
})
