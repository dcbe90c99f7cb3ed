import { expect, test } from 'vitest'
import { breaking, contractOf } from '../tools/contract.ts'

const now = contractOf('2.0.0')

/** What a client notices if the contract was otherwise before. */
function noticed(change: (former: typeof now) => void) {
  const former = structuredClone(now)
  change(former)
  return breaking(former, now)
}

test('a client notices no change of the contract if there is none', () => {
  expect(noticed(() => undefined)).toEqual([])
})

test('a client notices calls, fields and values that are gone, and who may call', () => {
  const text = { types: ['string'], isRequired: true }
  expect(
    noticed(({ calls, reasons }) => {
      calls['gone'] = calls['getUser']!
      calls['getUser']!.needs = 'anyone'
      calls['createInvite']!.input['note'] = text
      calls['createInvite']!.input['permissions[]'] = text
      calls['listInvites']!.answer['page'] = text
      calls['checkInvite']!.answer['name'] = text
      calls['signUp']!.input['fullName']!.isRequired = false
      reasons['seatsFull'] = 'ABORTED'
    }),
  ).toEqual(
    [
      'signUp: fullName is required',
      'getUser is for others',
      'listInvites: page is not answered any more',
      'checkInvite: name may be null',
      'createInvite: note is not taken any more',
      'createInvite: permissions[] is not taken any more',
      'gone is gone',
      'seatsFull has another status',
    ].toSorted(() => 0),
  )
})

test('a client notices no further call, field, reason or value of a list of words', () => {
  expect(
    noticed(({ calls, reasons }) => {
      delete calls['getUser']
      delete calls['createInvite']!.input['name']
      delete calls['listInvites']!.answer['waiting']
      calls['listInvites']!.answer['invites[].status']!.types = ['"pending"']
      delete reasons['seatsFull']
    }),
  ).toEqual([])
})
