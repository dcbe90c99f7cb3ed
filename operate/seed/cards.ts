import type { Ask, Person } from './people.ts'

type Customer = { metadata: Record<string, string>; subscriptions: { id: string }[] }

/** Cards, prices and time of a server's sandbox, as a browser and its clock page reach them. */
export function bankOf(ask: Ask) {
  async function post(path: string, body: RequestInit['body'], headers: Record<string, string>) {
    const answer = await ask(`/sandbox${path}`, { method: 'POST', headers, body })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return (await answer.json()) as { id: string }
  }

  function provider(path: string, form: Record<string, string>) {
    const headers = { authorization: 'Bearer pk_test_sandbox' }
    return post(`/stripe/v1/${path}`, new URLSearchParams(form), headers)
  }

  /** `expiry` is like `12/2034`. */
  async function aCard(number: string, expiry: string) {
    const [month = '', year = ''] = expiry.split('/')
    const card = {
      'card[number]': number,
      'card[exp_month]': month,
      'card[exp_year]': year,
      'card[cvc]': '123',
    }
    return (await provider('payment_methods', { type: 'card', ...card })).id
  }

  /** Adds a card to a project. */
  async function addCard({ call }: Person, subscriptionId: string, card: string) {
    const { clientSecret } = await call('createSetupIntent', { subscriptionId })
    const [intent] = clientSecret.split('_secret_')
    await provider(`setup_intents/${intent}/confirm`, {
      client_secret: clientSecret,
      payment_method: card,
    })
  }

  function command(path: string, asked: object) {
    return post(path, JSON.stringify(asked), { 'content-type': 'application/json' })
  }

  function moveClock(by: { advanceSeconds: number } | { rewindSeconds: number }) {
    return command('/clock', by)
  }

  /** Changes what a project pays, as an operator does in the provider's dashboard. */
  async function changePrice(subscriptionId: string, price: string) {
    const overview = await (await ask('/sandbox/control.json')).json()
    const { customers } = overview as { customers: Customer[] }
    const customer = customers.find(({ metadata }) => metadata['subscriptionId'] === subscriptionId)
    const [subscription] = customer!.subscriptions
    await command('/control', { price: { subscription: subscription!.id, price } })
  }

  return { aCard, addCard, changePrice, moveClock }
}
