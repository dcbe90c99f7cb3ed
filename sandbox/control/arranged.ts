export const orders = ['recorded', 'reversed', 'shuffled'] as const

/** Puts the events in this order. The same seed shuffles the same way. */
export function arranged<T>(
  all: T[],
  { order, seed }: { order: (typeof orders)[number]; seed: number },
): T[] {
  if (order === 'reversed') return all.toReversed()
  return order === 'shuffled' ? shuffled(all, seed) : all
}

function shuffled<T>(all: T[], seed: number): T[] {
  const next = randomFrom(seed)
  return all
    .map((each) => ({ each, at: next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ each }) => each)
}

/** mulberry32: numbers from 0 to 1 that look random enough. */
function randomFrom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
