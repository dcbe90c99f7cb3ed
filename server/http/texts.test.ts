// @module-tag slow
import { calls, type CallName } from '#contract/calls.ts'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { inputFor, sampleOf } from '../../tests/inputs.ts'
import { aProject, aWorld } from '../../tests/world.ts'

/** Fields whose text nobody ever sees. */
const passwords = new Set(['password', 'newPassword'])

const everyField = (Object.keys(calls) as CallName[]).flatMap((name) =>
  textsIn(calls[name].input).map((path) => [name, path.join('.'), path] as const),
)

test.each([
  ['an escape', '\u001B'],
  ['a NUL', '\0'],
  ['a C1 control', '\u009B'],
  ['an override of the direction', '\u202E'],
])('no call accepts %s in any text but a password', async (_, character) => {
  const { id, owner } = await aProject()
  expect(everyField.length).toBeGreaterThan(80)
  for (const [name, field, path] of everyField) {
    const input = withText(name, path, `555${character}123`, inputFor(name, id))
    const { error } = await owner.call(name, input as never)
    expect(
      [error?.status, Object.keys(error?.details?.['fields'] ?? {})],
      `${name} ${field}`,
    ).toEqual([
      'INVALID_ARGUMENT',
      // A NUL is refused where only the key is known.
      [character === '\0' ? path.at(-1) : field],
    ])
  }
})

test('a password may have any character that can be typed', async () => {
  const world = await aWorld()
  const account = { email: 'ann@example.com', password: 'correct \u001Bhorse' }
  await world.does('signUp', { ...account, fullName: 'Ann Archer' })
  await world.does('signIn', account)
})

test('a session keeps no control characters of the browser’s name', async () => {
  const world = await aWorld()
  const ann = await world.aPerson('ann')
  const { token } = await world.does(
    'signIn',
    { email: ann.email, password: ann.password },
    { headers: { 'user-agent': 'Fire\u009Bfox\u0085/1' } },
  )
  const { sessions } = await world.does('listSessions', {}, { token })
  expect(sessions.map(({ user_agent }) => user_agent)).toContain('Firefox/1')
})

/** The path of every text in the schema, without passwords. */
function textsIn(schema: z.core.$ZodType): string[][] {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'string':
      return [[]]
    case 'object':
      return Object.entries(def.shape)
        .filter(([key]) => !passwords.has(key))
        .flatMap(([key, field]) => textsIn(field).map((path) => [key, ...path]))
    case 'optional':
    case 'nullable':
    case 'default':
      return textsIn(def.innerType)
    case 'array':
      return textsIn(def.element)
    case 'union':
      return def.options.flatMap(textsIn)
    case 'boolean':
    case 'enum':
    case 'literal':
    case 'number':
      return []
    default:
      throw new Error(`Texts within the type ${def.type} are not found.`)
  }
}

/** The input with this text at the path. Optional objects on the way get samples. */
function withText(name: CallName, path: string[], text: string, input: Record<string, unknown>) {
  let schema: z.core.$ZodType = calls[name].input
  let at = input
  for (const [index, key] of path.entries()) {
    schema = inner((inner(schema) as z.ZodMiniObject).shape[key]!)
    if (index === path.length - 1) at[key] = text
    else at = (at[key] ??= sampleOf(schema)) as Record<string, unknown>
  }
  return input
}

function inner(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = (schema as z.core.$ZodTypes)._zod
  return 'innerType' in def ? inner(def.innerType as z.core.$ZodType) : schema
}
