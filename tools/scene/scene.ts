import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  addressOf,
  aPerson,
  aProject,
  askAt,
  callerOf,
  invites,
  joins,
  mailedLink,
  signIn,
  type Person,
} from '../seed/people.ts'

/** Every scene begins and ends on the same days, so that its pictures stay the same. */
const begin = new Date('2026-01-06T09:00:00Z')
const weeks = 12
const passing = (weeks * 7 + 2) * 24 * 3600 * 1000
export const today = new Date(begin.getTime() + passing)

export const ann = addressOf('Ann Archer')
/** Nina has just signed up and has only an empty project. */
export const nina = addressOf('Nina Novak')
/** Omar has just signed up and has no project. */
export const omar = addressOf('Omar Ortiz')

const team = [
  'Bob Baker',
  'Carla Cruz',
  'Dan Díaz',
  'Eve Engel',
  'Farid Haddad',
  'Grace Okafor',
  'Hiro Tanaka',
  'Ines Moreau',
  'Jonas Lindqvist',
]

export type Scene = Awaited<ReturnType<typeof openScene>>

/** Starts a server on which a team has worked for some weeks. */
export async function openScene() {
  const child = fork(join(import.meta.dirname, 'server.ts'), [begin.toISOString()], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const [url] = (await Promise.race([once(child, 'message'), endedEarly(child)])) as [string]
  const projects = await play(url, async () => {
    child.send({ milliseconds: passing })
    await askSandbox(url, '/clock', JSON.stringify({ advanceSeconds: passing / 1000 }), {
      'content-type': 'application/json',
    })
  })
  return {
    url,
    ...projects,
    async stop() {
      const gone = once(child, 'exit')
      child.disconnect()
      await gone
    },
  }
}

/** Makes the calls of the team's weeks, and returns the projects that result. */
async function play(url: string, passWeeks: () => Promise<void>) {
  const ask = askAt(url)
  const [ann, bob, ...others] = await Promise.all(
    ['Ann Archer', ...team].map((name) => aPerson(ask, name)),
  )
  const [nina] = await Promise.all(['Nina Novak', 'Omar Ortiz'].map((name) => aPerson(ask, name)))

  const visa = await aCard(url, '4242424242424242', '12', '2034')
  const busy = await aProject(ann!, 'Bridge renewal', 'pro', visa)
  await joins(bob!, ann!, busy, ['admin'])
  for (const [index, other] of others.entries())
    await joins(other, ann!, busy, index % 3 === 0 ? ['editor'] : [])
  await aProject(ann!, 'Old ferry line', 'free')
  const ended = await aProject(ann!, 'Night market', 'free')
  await ann!.call('cancelSubscription', { subscriptionId: ended, confirmationId: ended })
  const harbour = await aProject(bob!, 'Harbour study', 'free')
  await joins(ann!, bob!, harbour, ['editor'])
  const empty = await aProject(nina!, 'First steps', 'free')

  await passWeeks()
  const [annNow, bobNow] = await Promise.all([signIn(ask, ann!.name), signIn(ask, bob!.name)])
  while ((await annNow.call('listInvoices', { subscriptionId: busy })).total <= weeks)
    await delay(50)
  await addCard(url, annNow, busy, await aCard(url, '5555555555554444', '08', '2032'))
  await invites(annNow, { email: 'kim.park@example.com', name: 'Kim Park' }, busy, ['editor'])
  await invites(annNow, { email: 'lena.vogel@example.com' }, busy, [])
  const market = await aProject(bobNow, 'Market hall', 'free')
  await invites(bobNow, { email: annNow.email }, market, ['admin'])
  await callerOf(ask)('sendPasswordResetEmail', { email: annNow.email })
  return {
    busy,
    ended,
    empty,
    invitationLink: pathOf(await mailedLink(ask, 'lena.vogel@example.com')),
    resetLink: pathOf(await mailedLink(ask, annNow.email)),
    invoicePage: await invoicePage(annNow, busy),
  }
}

function pathOf({ pathname, search }: URL) {
  return pathname + search
}

async function invoicePage({ call }: Person, subscriptionId: string) {
  const { invoices } = await call('listInvoices', { subscriptionId, page: 1, pageSize: 10 })
  return new URL(invoices[0]!.hosted_invoice_url!).pathname
}

async function aCard(url: string, number: string, month: string, year: string) {
  const card = {
    'card[number]': number,
    'card[exp_month]': month,
    'card[exp_year]': year,
    'card[cvc]': '123',
  }
  const { id } = await askProvider(url, 'payment_methods', { type: 'card', ...card })
  return id
}

async function addCard(url: string, { call }: Person, subscriptionId: string, card: string) {
  const { clientSecret } = await call('createSetupIntent', { subscriptionId })
  const [intent] = clientSecret.split('_secret_')
  await askProvider(url, `setup_intents/${intent}/confirm`, {
    client_secret: clientSecret,
    payment_method: card,
  })
  while ((await call('getPaymentMethods', { subscriptionId })).paymentMethods.length < 2)
    await delay(50)
}

async function askProvider(url: string, path: string, form: Record<string, string>) {
  return askSandbox(url, `/stripe/v1/${path}`, new URLSearchParams(form), {
    authorization: 'Bearer pk_test_sandbox',
  })
}

async function askSandbox(
  url: string,
  path: string,
  body: BodyInit,
  headers: Record<string, string>,
) {
  const answer = await fetch(`${url}/sandbox${path}`, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
  return (await answer.json()) as { id: string }
}

async function endedEarly(child: ChildProcess): Promise<never> {
  await once(child, 'exit')
  throw new Error('The server of the scene ended instead of coming up.')
}
