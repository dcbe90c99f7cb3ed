import { tidyAddress } from '#contract/mail-address.ts'
import type { Operator } from '../../server/activity/record.ts'
import type { Services } from '../../server/core/services.ts'
import { Refusal } from '../../server/platform/refusal.ts'
import { StartError } from '../../server/platform/start-error.ts'
import type { User } from '../../server/store/users.ts'

/** What an operator's command works with: the product's services, and who the operator is. */
export type Desk = { services: Services; operator: Operator }

/** What a command found or did: JSON for programs. People read `said`, or else the values. */
export type Answer = { said?: string; [field: string]: unknown }

export type Command = {
  /** The words that the command takes. Those in brackets may be missing. */
  takes: string[]
  does: string
  /** For what can't be undone: says so. */
  final?: string
  run: (desk: Desk, ...words: string[]) => Promise<Answer>
}

/** The person with this address or id. */
export async function requirePerson(who: string, { store }: Services): Promise<User> {
  const user = (await store.users.findByEmail(tidyAddress(who))) ?? (await store.users.find(who))
  if (!user)
    throw new StartError(`There is no account ${who}. Find it by a part of its name: find TEXT`)
  return user
}

/** A command about a person. What it answers names them. */
export function onPerson(act: (user: User, desk: Desk) => Promise<Answer>): Command['run'] {
  return async (desk, who) => {
    const user = await requirePerson(who, desk.services)
    return { id: user.id, email: user.email, ...(await act(user, desk)) }
  }
}

export async function requireProject(id: string, { store }: Services) {
  const row = await store.billing.find(id)
  if (!row) throw new StartError(`There is no project ${id}. Find it by its name: find TEXT`)
  return row
}

/** Runs what the product may refuse, and then says why in the operator's words. */
export async function orSay<Result>(
  words: Partial<Record<Refusal['reason'], string>>,
  act: () => Promise<Result>,
): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    const said = error instanceof Refusal ? words[error.reason] : undefined
    throw said === undefined ? error : new StartError(said)
  }
}
