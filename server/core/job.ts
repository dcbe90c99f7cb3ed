import type { JobPayloads } from './jobs.ts'
import type { Services } from './services.ts'

export type Job<Name extends keyof JobPayloads> = (
  payload: JobPayloads[Name],
  services: Services,
) => Promise<void>

/** Ties a job's function to its payload. */
export function job<Name extends keyof JobPayloads>(_name: Name, run: Job<Name>): Job<Name> {
  return run
}
