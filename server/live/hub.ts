import { limits } from '#config/limits.ts'
import type { LiveEnd } from '#contract/live.ts'
import type { Store } from '../store/store.ts'
import type { Fact } from './fact.ts'
import { concerns, isAdminWith, newPerson, type Person } from './person.ts'
import { openStream, type Stream } from './stream.ts'

/** Who has a tab open at this server, and what they are to be told of. */
export function openHub(store: Store) {
  const people = new Map<string, Person>()
  const byEmail = new Map<string, Person>()
  const byProject = new Map<string, Set<Person>>()
  const bySession = new Map<string, Set<Stream>>()
  /** Of the last moments: what a tab has read before its stream was open may have changed before it was open, too. */
  const recent: { at: number; fact: Fact }[] = []

  return { open, take, lookAgain, streams }

  /** Rejects when the store can't say what somebody is to be told of. */
  async function open(userId: string, sessionId: string, left: number): Promise<Stream> {
    const stream = openStream({ userId, sessionId, left, onClosed: leave })
    const person = people.get(userId) ?? newPerson(userId)
    people.set(userId, person)
    person.streams.add(stream)
    addTo(bySession, sessionId, stream)
    const [oldest] = person.streams
    if (person.streams.size > limits.live.streamsPerUser) oldest!.end('tooMany')
    try {
      await (person.isCurrent ? person.reading : read(person))
    } catch (error) {
      stream.end('stopping')
      throw error
    }
    for (const { fact } of recentFacts()) {
      if (concerns(person, fact)) tell(stream, fact)
      if (fact.what === 'session' && fact.session === sessionId) stream.end('sessionEnded')
    }
    stream.beReady()
    return stream
  }

  function leave(stream: Stream) {
    removeFrom(bySession, stream.sessionId, stream)
    const person = people.get(stream.userId)
    if (!person?.streams.delete(stream) || person.streams.size > 0) return
    people.delete(person.id)
    forget(person)
  }

  /** What the database tells, in the order in which it happened. */
  function take(fact: Fact) {
    recentFacts().push({ at: performance.now(), fact })
    if (fact.what === 'session') return endAll('sessionEnded', bySession.get(fact.session))
    if (fact.what === 'members' && fact.permissions)
      comeIn(fact.user, fact.project, isAdminWith(fact.permissions))
    for (const person of whoMayCare(fact)) {
      if (concerns(person, fact)) for (const stream of person.streams) tell(stream, fact)
    }
    // Whoever is no longer in a project hears that, and nothing of it any more.
    if (fact.what === 'members' && !fact.permissions) goOut(fact.user, fact.project)
    const changed = fact.what === 'user' ? people.get(fact.user) : undefined
    // If it fails the store is away, and is asked when the next tab opens.
    if (changed) void readAnew(changed).catch(() => undefined)
  }

  /** Nobody knows what was missed: not who was signed out, and not who is where. */
  async function lookAgain() {
    const still = await store.live.keepOpen([...bySession.keys()])
    for (const [session, streams] of bySession)
      if (!still.has(session)) endAll('sessionEnded', streams)
    for (const person of people.values()) {
      await readAnew(person)
      for (const stream of person.streams) stream.tell('everything')
    }
  }

  function streams() {
    return [...people.values()].flatMap((person) => [...person.streams])
  }

  /** Not fewer than those whom it concerns. */
  function whoMayCare(fact: Fact): Set<Person> {
    const found = new Set('project' in fact ? byProject.get(fact.project) : undefined)
    const other =
      'user' in fact ? people.get(fact.user) : 'email' in fact ? byEmail.get(fact.email) : undefined
    return other ? found.add(other) : found
  }

  function recentFacts() {
    const since = performance.now() - limits.live.recent
    while (recent[0] && recent[0].at < since) recent.shift()
    return recent
  }

  function comeIn(userId: string, project: string, isAdmin: boolean) {
    const person = people.get(userId)
    if (!person) return
    if (person.reading) person.isCurrent = false
    putInto(person, project, isAdmin)
  }

  function goOut(userId: string, project: string) {
    const person = people.get(userId)
    if (!person) return
    if (person.reading) person.isCurrent = false
    takeOut(person, project)
  }

  function readAnew(person: Person) {
    person.isCurrent = false
    return read(person)
  }

  /** However many ask at once, it is read once; and again if it changed meanwhile. */
  function read(person: Person): Promise<void> {
    return (person.reading ??= readUntilCurrent(person).finally(() => (person.reading = undefined)))
  }

  async function readUntilCurrent(person: Person) {
    while (!person.isCurrent) {
      person.isCurrent = true
      const { email, memberships } = await store.live
        .findListener(person.id)
        .catch((error: unknown) => {
          person.isCurrent = false
          throw error
        })
      if (people.get(person.id) !== person) return
      forget(person)
      person.email = email
      if (email !== undefined) byEmail.set(email, person)
      for (const { subscriptionId, permissions } of memberships)
        putInto(person, subscriptionId, isAdminWith(permissions))
    }
  }

  function forget(person: Person) {
    for (const project of person.projects.keys()) takeOut(person, project)
    if (person.email !== undefined && byEmail.get(person.email) === person)
      byEmail.delete(person.email)
  }

  function putInto(person: Person, project: string, isAdmin: boolean) {
    person.projects.set(project, isAdmin)
    addTo(byProject, project, person)
  }

  function takeOut(person: Person, project: string) {
    person.projects.delete(project)
    removeFrom(byProject, project, person)
  }
}

export function endAll(because: LiveEnd['because'], streams: Iterable<Stream> = []) {
  for (const stream of streams) stream.end(because)
}

function tell(stream: Stream, fact: Fact) {
  if (fact.what !== 'session') stream.tell(fact.what, 'project' in fact ? fact.project : undefined)
}

function addTo<Value>(sets: Map<string, Set<Value>>, key: string, value: Value) {
  const set = sets.get(key)
  if (set) set.add(value)
  else sets.set(key, new Set([value]))
}

function removeFrom<Value>(sets: Map<string, Set<Value>>, key: string, value: Value) {
  const set = sets.get(key)
  if (set?.delete(value) && set.size === 0) sets.delete(key)
}
