import { expect, onTestFinished, test, vi } from 'vitest'
import { openQuiet } from './quiet.ts'

test('a trouble that goes on is logged at first and then once a minute', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const isQuiet = openQuiet()
  const lines = Array.from({ length: 150 }, () => {
    const isLogged = !isQuiet()
    vi.advanceTimersByTime(1000)
    return isLogged
  })
  expect(lines.flatMap((isLogged, second) => (isLogged ? [second] : []))).toEqual([0, 60, 120])
})
