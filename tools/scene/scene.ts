import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { addressOf, askAt, callerOf, mailedLink, password } from '../../operate/seed/people.ts'
import { bankOf } from '../../operate/seed/cards.ts'
import { invoicesOf, lasting, playWorld } from '../../operate/seed/world.ts'

export { ann, dan, nina, omar } from '../../operate/seed/world.ts'
/** Pia has signed up and has not verified her address. */
export const pia = addressOf('Pia Palm')

/** Every scene begins and ends on the same days, so that its pictures stay the same. */
const begin = new Date('2026-01-06T09:00:00Z')
export const today = new Date(begin.getTime() + lasting * 1000)

export type Scene = Awaited<ReturnType<typeof openScene>>

/** Starts a server on which a team has worked for some weeks. */
export async function openScene() {
  const child = fork(join(import.meta.dirname, 'server.ts'), [begin.toISOString()], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const [url] = (await Promise.race([once(child, 'message'), endedEarly(child)])) as [string]
  const ask = askAt(url)
  const world = await playWorld(ask, {
    async pass(seconds) {
      child.send({ milliseconds: seconds * 1000 })
      await bankOf(ask).moveClock({ advanceSeconds: seconds })
    },
  })
  const { ann, busy, overdue, ended, empty, legacy } = world
  const visitor = callerOf(ask)
  await visitor('sendPasswordResetEmail', { email: ann.email })
  await visitor('signUp', { fullName: 'Pia Palm', email: pia, password, language: 'en' })
  const { invoices } = await invoicesOf(ann, busy)
  return {
    url,
    busy,
    overdue,
    ended,
    empty,
    legacy,
    invitationLink: pathOf(await mailedLink(ask, 'lena.vogel@example.com')),
    resetLink: pathOf(await mailedLink(ask, ann.email)),
    invoicePage: new URL(invoices[0]!.hosted_invoice_url!).pathname,
    async stop() {
      const gone = once(child, 'exit')
      child.disconnect()
      await gone
    },
  }
}

function pathOf({ pathname, search }: URL) {
  return pathname + search
}

async function endedEarly(child: ChildProcess): Promise<never> {
  await once(child, 'exit')
  throw new Error('The server of the scene ended instead of coming up.')
}
