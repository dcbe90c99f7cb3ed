import type { Person, SendRequest } from './person.ts'

/** What a test can do at the payment provider. The sandbox plays the provider. */
export function bankAt(request: SendRequest) {
  async function post(path: string, json: object) {
    const headers = { 'content-type': 'application/json' }
    return request(path, { method: 'POST', headers, body: JSON.stringify(json) })
  }

  /** Answers the bank's question as the buyer would. */
  async function answerChallenge(clientSecret: string, answer: 'succeed' | 'fail') {
    const outcome = answer === 'succeed' ? 'complete' : 'fail'
    await request(`/sandbox/authenticate/${intentOf(clientSecret)}`, {
      method: 'POST',
      body: new URLSearchParams({ client_secret: clientSecret, outcome }),
    })
  }

  /** Confirms a card. If the bank asks a question, the answer is yes. */
  async function confirmCard(clientSecret: string, card: string) {
    const path = `/sandbox/stripe/v1/setup_intents/${intentOf(clientSecret)}/confirm`
    const response = await request(path, {
      method: 'POST',
      headers: { authorization: 'Bearer pk_test_sandbox' },
      body: new URLSearchParams({ client_secret: clientSecret, payment_method: card }),
    })
    const intent = (await response.json()) as { status: string; payment_method: string }
    if (intent.status === 'requires_action') await answerChallenge(clientSecret, 'succeed')
    return intent.payment_method
  }

  /** Adds a card as the owner and the browser do together. Returns its id. */
  async function addCard(person: Person, subscriptionId: string, card: string) {
    const { clientSecret } = (await person.call('createSetupIntent', { subscriptionId })).result!
    return confirmCard(clientSecret, card)
  }

  /** Adds a card and makes it the default. Returns its id. */
  async function payWith(person: Person, subscriptionId: string, card: string) {
    const paymentMethodId = await addCard(person, subscriptionId, card)
    await person.call('setDefaultPaymentMethod', { subscriptionId, paymentMethodId })
    return paymentMethodId
  }

  return {
    answerChallenge,
    confirmCard,
    addCard,
    payWith,
    /** Makes the sandbox fail, hold webhooks back or answer late. */
    control: (wish: Record<string, unknown>) => post('/sandbox/control', wish),
    /** Moves the payment provider's clock. Returns its time in seconds. */
    moveClock: async (seconds: number) => {
      const moved = await post('/sandbox/clock', { advanceSeconds: seconds })
      return ((await moved.json()) as { now: number }).now
    },
  }
}

function intentOf(clientSecret: string) {
  return clientSecret.split('_secret_')[0]!
}
