import type { CallInput, CallName } from '#contract/calls.ts'
import { asksBy } from './person.ts'
import type { Person, World } from './world.ts'

/** Makes an access token of a person, and a program that makes calls with it. */
export async function aProgram(
  world: Pick<World, 'call'>,
  maker: Person,
  { name = 'CI', access = 'write', ...input }: Partial<CallInput<'createAccessToken'>> = {},
) {
  const made = await maker.does('createAccessToken', { name, access, ...input })
  const { token, accessToken } = made
  const asks = asksBy(<Name extends CallName>(name: Name, data: CallInput<Name>, headers = {}) =>
    world.call(name, data, { token, headers }),
  )
  return { ...asks, id: accessToken.id, accessToken, token }
}
