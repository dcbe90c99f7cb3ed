import { plans, type Plan } from '#config/plans.ts'
import { expect, test } from 'vitest'
import { aLog } from '../../tests/world.ts'
import { problemsOf, requireSound } from './plan-problems.ts'

const [, pro] = plans as readonly Plan[]
const yearly: Plan = {
  ...pro!,
  prices: [{ frequency: 'year', amounts: { usd: 400_00 }, priceIds: ['year'] }],
}

test('the plans of the tests can be sold', () => {
  expect(problemsOf(plans, { cancel: 'now', refundUnused: false })).toEqual([])
})

test('a price for longer than a month wants a refund or a later end on cancellation', () => {
  const problems = problemsOf([yearly], { cancel: 'now', refundUnused: false })
  expect(problems).toEqual([expect.stringMatching(/^The plan pro, price year: .* refundUnused\.$/)])
  for (const billing of [
    { cancel: 'now', refundUnused: true },
    { cancel: 'choice', refundUnused: false },
    { cancel: 'atPeriodEnd', refundUnused: false },
  ] as const)
    expect(problemsOf([yearly], billing)).toEqual([])
})

test('an amount that Stripe takes no part of, and a price without a name, are problems', () => {
  const wrong = { ...pro!, amounts: { kwd: 3_005, isk: 150 }, priceIds: [] }
  expect(problemsOf([wrong], { cancel: 'now', refundUnused: false })).toEqual([
    'The plan pro, price week: priceIds names no price.',
    'The plan pro, price week: an amount in kwd must be a multiple of 10.',
    'The plan pro, price week: an amount in isk must be a multiple of 100.',
  ])
})

test('a grace that is as long as the provider’s retries is warned of at the start', () => {
  const { lines, log } = aLog('warn')
  const sold = { cancel: 'now', refundUnused: false } as const
  requireSound(plans, { ...sold, grace: 13 }, log)
  expect(lines).toEqual([])
  requireSound(plans, { ...sold, grace: 14 }, log)
  expect(lines.join()).toContain('is not shorter than the provider’s retries')
})
