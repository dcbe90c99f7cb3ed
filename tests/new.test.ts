import { expect, test } from 'vitest'
import { planPart } from '../tools/new/inside.ts'
import { planModule, singularOf } from '../tools/new/module.ts'

test.each([
  ['Boats', undefined, '“Boats” can’t be a name of a module: it is one word of '],
  ['fishing-boats', undefined, '“fishing-boats” can’t be a name of a module: it is one word of '],
  ['staff', undefined, '“staff” is no plural that this knows: --one says '],
  ['sheep', 'sheep', 'One of the sheep needs another name: --one says it.'],
  ['class', 'pupil', '“class” is a word of JavaScript’s own.'],
  ['core', 'part', 'because the series of migrations of the core would belong to it.'],
  ['action', 'deed', 'because the core’s table action_codes would belong to it.'],
  ['invoices', undefined, 'because the core’s table invoices would belong to it.'],
  ['people', 'soul', 'because the area of activity people is there already.'],
  ['forms', 'sheet', 'because the group of words forms is there already.'],
  ['summonses', 'invite', 'because the call createInvite is there already.'],
])('a module %s with each one %s is refused in a sentence', (name, one, why) => {
  expect(() => planModule(name, one)).toThrow(why)
})

test.each([
  ['boats', 'boat'],
  ['companies', 'company'],
  ['boxes', 'box'],
  ['addresses', 'address'],
  ['houses', 'house'],
])('one of the %s is called %s', (name, one) => {
  expect(singularOf(name)).toBe(one)
})

test('a call is made only in a module that there is, by a name that code can have', () => {
  expect(() => planPart('call', 'sellBoat', 'none')).toThrow('has no module “none”.')
  expect(() => planPart('call', 'sell-boat', 'none')).toThrow('“sell-boat” can’t be a name: ')
})
