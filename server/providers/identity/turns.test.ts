import { expect, test } from 'vitest'
import { Refusal } from '../../platform/refusal.ts'
import { openTurns } from './turns.ts'

/** Work that ends when the test says so, and what has begun of it. */
function aQueue(size: { atOnce: number; places: number }) {
  const inTurn = openTurns(size)
  const [begun, refused]: string[][] = [[], []]
  const running: (() => void)[] = []

  function ask(...names: string[]) {
    for (const name of names) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const work = async () => {
        begun!.push(name)
        running.push(resolve)
        return promise
      }
      inTurn(name[0]!, work).catch((error: unknown) =>
        refused!.push(`${name} ${(error as Refusal).reason}`),
      )
    }
  }

  /** Until nothing is left. */
  async function finish() {
    while (running.length > 0) {
      running.shift()!()
      await new Promise(setImmediate)
    }
  }

  return { ask, finish, begun, refused }
}

test('waiting callers take turns, even when one has asked for much more', async () => {
  const { ask, finish, begun } = aQueue({ atOnce: 1, places: 10 })
  ask('a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1')
  await finish()
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
})

test('no more work runs at once than allowed', async () => {
  const { ask, begun } = aQueue({ atOnce: 2, places: 10 })
  ask('a1', 'b1', 'c1')
  expect(begun).toEqual(['a1', 'b1'])
})

test('when all places are taken, the caller who waits for the most is refused', async () => {
  const { ask, finish, begun, refused } = aQueue({ atOnce: 1, places: 4 })
  ask('a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1', 'c1', 'd1')
  await finish()
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'd1'])
  expect(refused).toEqual(['a6 unavailable', 'a5 unavailable', 'a4 unavailable', 'a3 unavailable'])
})

test('failed work passes its turn on', async () => {
  const inTurn = openTurns({ atOnce: 1, places: 1 })
  const failing = inTurn('a', () => Promise.reject(new Error('no hash')))
  const next = inTurn('b', () => Promise.resolve('a hash'))
  await expect(failing).rejects.toThrow('no hash')
  expect(await next).toBe('a hash')
})
