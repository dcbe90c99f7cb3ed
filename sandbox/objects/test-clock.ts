import { day } from './due-at.ts'
import { newObject } from './new-object.ts'
import type { TestClock } from './wire.ts'

const keptFor = 30 * day

export function newTestClock(name: string | null, now: number): TestClock {
  return {
    ...newObject('test_helpers.test_clock', 'clock', now),
    deletes_after: now + keptFor,
    frozen_time: now,
    name,
    status: 'ready',
    status_details: {},
  }
}

export function advancingTo(clock: TestClock, target_frozen_time: number): TestClock {
  return { ...clock, status: 'advancing', status_details: { advancing: { target_frozen_time } } }
}

export function arrived(clock: TestClock): TestClock {
  const frozen_time = clock.status_details.advancing?.target_frozen_time ?? clock.frozen_time
  return { ...clock, frozen_time, status: 'ready', status_details: {} }
}
