import { setTimeout as delay } from 'node:timers/promises'
import { counts, inviteOf, lister, owner, password, reset, type states } from './fill.ts'
import { call, loadInTurns, type Ask, type Figures } from './load.ts'
import type { Delays } from './delays.ts'
import type { Side } from './servers.ts'
import { note } from './table.ts'

type Sides = { floor: Side; ours: Side }

/** Compares the list of projects: the rate, the slowest answers and the CPU of the process. */
export async function compareList({ floor, ours }: Sides) {
  let count = 0
  const next = () => call('listSubscriptions', lister(count++), {})
  const figures = await loadInTurns({ floor: { ...floor, next }, ours: { ...ours, next } })
  note({ name: 'list of 20', unit: '/s', ...each(figures, 'rate'), least: 0.85 })
  note({ name: 'list of 20, p99', unit: 'ms', ...each(figures, 'p99'), most: 1.5 })
  note({ name: 'list of 20, CPU', unit: 'µs', ...each(figures, 'cpu'), most: 1.4 })
}

/** Compares the calls that change something under a project's lock. */
export async function compareWrites(sides: Sides, delays: Delays) {
  await compareWrite(sides, 'invitation', 'noGuests', delays, (count) => {
    const project = count % counts.projects
    const email = `invited${count}@example.com`
    const data = { subscriptionId: `project${project}`, email, permissions: ['access'] }
    return call('createInvite', owner(project), data)
  })
  await compareWrite(sides, 'settings', 'noGuests', delays, (count) => {
    const project = count % counts.projects
    const data = {
      subscriptionId: `project${project}`,
      settings: { name: `Name at ${performance.now()}` },
    }
    return call('updateSubscriptionSettings', owner(project), data)
  })
  await compareWrite(sides, 'accept', 'invited', delays, (count) => {
    const { project, guest } = pairOf(count)
    return call('acceptInvite', `guest${guest}`, { inviteId: inviteOf(project, guest) })
  })
  await compareWrite(sides, 'remove', 'joined', delays, (count) => {
    const { project, guest } = pairOf(count)
    const data = { subscriptionId: `project${project}`, userId: `guest${guest}` }
    return call('removeUser', owner(project), data)
  })
  await compareWrite(sides, 'permissions', 'joined', delays, (count) => {
    const { project, guest, turn } = pairOf(count)
    const permissions = turn % 2 === 0 ? ['access', 'editor'] : ['access']
    const data = { subscriptionId: `project${project}`, userId: `guest${guest}`, permissions }
    return call('updateUserPermissions', owner(project), data)
  })
}

/** Compares sign-ins with the hashing of their passwords alone. */
export async function compareSignIn({ floor, ours }: Sides) {
  let count = 0
  // The accounts take turns, because many tries for one account at once count as guesses.
  const next = () => {
    const data = { email: `signer${count++ % counts.signers}@example.com`, password }
    return call('signIn', undefined, data)
  }
  const figures = await loadInTurns({ floor: { ...floor, next }, ours: { ...ours, next } })
  note({ name: 'sign-in, to bare argon2id', unit: '/s', ...each(figures, 'rate'), least: 0.9 })
}

async function compareWrite(
  sides: Sides,
  name: string,
  state: keyof typeof states,
  delays: Delays,
  askAt: (count: number) => Ask,
) {
  const targetOf = (side: Side) => {
    let count = 0
    return {
      ...side,
      next: () => askAt(count++),
      async before() {
        await reset(side.database.pool, state)
        count = 0
      },
    }
  }
  const ours = targetOf(sides.ours)
  const figures = await loadInTurns({
    floor: targetOf(sides.floor),
    ours:
      name === 'invitation'
        ? { ...ours, ...delays.whileLoaded }
        : { ...ours, after: () => delay(500) },
  })
  note({ name, unit: '/s', ...each(figures, 'rate'), least: 0.7 })
}

/** A project and a guest. Neighbours share neither. Begins anew after all pairs. */
function pairOf(count: number) {
  const { projects, guests } = counts
  const project = count % projects
  const guest = (project + Math.floor(count / projects)) % guests
  return { project, guest, turn: Math.floor(count / projects / guests) }
}

/** A call by a user, or by a visitor who is not signed in. */
function each({ floor, ours }: { floor: Figures; ours: Figures }, figure: keyof Figures) {
  return { floor: floor[figure], ours: ours[figure] }
}
