import { afterEach } from 'vitest'
import { takeRefused } from './account.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** Of the requests that the provider refused in the course of the test. */
    refusedRequests?: string[]
  }
}

afterEach(({ task }) => {
  task.meta.refusedRequests = takeRefused()
})
