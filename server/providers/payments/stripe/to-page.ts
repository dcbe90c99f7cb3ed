import type { Part } from '../payments.ts'

/** The parameters of a list; the SDK goes on from page to page by itself. */
export function toPage({ after, since, atOnce = 100 }: Part = {}) {
  return {
    limit: atOnce,
    ...(after !== undefined && { starting_after: after }),
    ...(since !== undefined && { created: { gte: since } }),
  }
}
