import { afterEach } from 'vitest'
import { takeRequests } from './account.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** The requests that the test sent to the provider. */
    requests?: string[]
  }
}

afterEach(({ task }) => {
  task.meta.requests = takeRequests()
})
