import { expect, test } from 'vitest'
import { Refusal } from '../../platform/refusal.ts'
import { openTurns } from './turns.ts'

/** A queue whose work ends when the test calls `finish`. `begun` names the work under way. */
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

  /** Ends running work until no work is left. */
  async function finish() {
    while (running.length > 0) {
      running.shift()!()
      await new Promise(setImmediate)
    }
  }

  return { ask, finish, begun, refused }
}

test('callers of the work queue take turns, even if one caller adds much more work than others', async () => {
  const { ask, finish, begun } = aQueue({ atOnce: 1, places: 10 })
  ask('a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1')
  await finish()
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
})

test('the work queue runs no more work at once than its limit', async () => {
  const { ask, begun } = aQueue({ atOnce: 2, places: 10 })
  ask('a1', 'b1', 'c1')
  expect(begun).toEqual(['a1', 'b1'])
})

test('when the work queue is full, work of the caller with the most waiting work is refused', async () => {
  const { ask, finish, begun, refused } = aQueue({ atOnce: 1, places: 4 })
  ask('a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1', 'c1', 'd1')
  await finish()
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'd1'])
  expect(refused).toEqual(['a6 unavailable', 'a5 unavailable', 'a4 unavailable', 'a3 unavailable'])
})

test('the work queue goes on after work that failed', async () => {
  const inTurn = openTurns({ atOnce: 1, places: 1 })
  const failing = inTurn('a', () => Promise.reject(new Error('no hash')))
  const next = inTurn('b', () => Promise.resolve('a hash'))
  await expect(failing).rejects.toThrow('no hash')
  expect(await next).toBe('a hash')
})
