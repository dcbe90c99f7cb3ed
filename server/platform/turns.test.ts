import { expect, test, vi } from 'vitest'
import { Refusal } from './refusal.ts'
import { openTurns } from './turns.ts'

/** A queue whose work ends when the test calls `finish`. `begun` names the work under way. */
function aQueue(size: { atOnce: number; each?: number; places: number; patience?: number }) {
  const turns = openTurns(size)
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
      turns
        .inTurn(name[0]!, work)
        .catch((error: unknown) => refused!.push(`${name} ${(error as Refusal).reason}`))
    }
  }

  /** Ends running work until no work is left. */
  async function finish() {
    while (running.length > 0) {
      running.shift()!()
      await new Promise(setImmediate)
    }
  }

  return { ask, finish, begun, refused, turns }
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
  const turns = openTurns({ atOnce: 1, places: 1 })
  const failing = turns.inTurn('a', () => Promise.reject(new Error('no hash')))
  const next = turns.inTurn('b', () => Promise.resolve('a hash'))
  await expect(failing).rejects.toThrow('no hash')
  expect(await next).toBe('a hash')
})

test('one caller of the work queue never does more at once than their share', async () => {
  const { ask, finish, begun, turns } = aQueue({ atOnce: 3, each: 1, places: 10 })
  ask('a1', 'a2', 'a3', 'b1')
  expect(begun).toEqual(['a1', 'b1'])
  expect(turns.countCrowd()).toBe(1)
  await finish()
  expect(begun).toEqual(['a1', 'b1', 'a2', 'a3'])
})

test('work that waits longer than the patience of the work queue is refused, and the rest goes on', async () => {
  const { ask, finish, begun, refused, turns } = aQueue({ atOnce: 1, places: 10, patience: 20 })
  ask('a1', 'b1')
  await vi.waitUntil(() => refused!.length > 0, 20_000)
  expect(refused).toEqual(['b1 unavailable'])
  ask('c1')
  await finish()
  expect(begun).toEqual(['a1', 'c1'])
  expect(turns.countCrowd()).toBe(0)
})
