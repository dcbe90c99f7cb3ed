import type { Page } from '@playwright/test'
import { Hono } from 'hono'
import { pageHeaders } from '../../server/http/security-headers.ts'

type Options = Record<string, unknown>
/** What the script below adds to `window`: the calls that it gets, and how it answers. */
type Fake = {
  stripeCalls: [name: string, argument?: Options][]
  bankRedirects?: boolean
  makesNoCard?: boolean
}

/**
 * Serves the app as with a Stripe key. A script replaces Stripe's own: it records its calls and
 * keeps its cards in the sandbox. The page has the Content-Security-Policy that it has with Stripe.
 */
export async function withStripeJs(page: Page) {
  await page.route(isPage, async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace(
      '"stripePublishableKey":null',
      '"stripePublishableKey":"pk_test_sandbox"',
    )
    const headers = await headersWithStripe(response.headers()['content-security-policy']!)
    const contentType = 'text/html; charset=UTF-8'
    await route.fulfill({ status: response.status(), contentType, headers, body })
  })
  await page.route('https://js.stripe.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: `(${stripeJs.toString()})()` }),
  )
  return {
    /** The arguments of the calls to a function of Stripe.js. */
    callsTo: async (name: string) => {
      const calls = await page.evaluate(() => (window as unknown as Fake).stripeCalls)
      return calls.filter(([called]) => called === name).map(([, argument]) => argument)
    },
    /** From now on the bank asks on a page of its own instead of in a dialog. */
    redirectToBank: () =>
      page.evaluate(() => void ((window as unknown as Fake).bankRedirects = true)),
    /** From now on Stripe.js answers with neither a card nor an error. */
    makeNoCard: () => page.evaluate(() => void ((window as unknown as Fake).makesNoCard = true)),
  }
}

function isPage(url: URL) {
  return (
    url.hostname === 'localhost' &&
    !/^\/(api|live|assets|sandbox|dev|invoices|webhooks)\b|\.\w+$/.test(url.pathname)
  )
}

async function headersWithStripe(policy: string) {
  const scriptHashes = policy.match(/'sha256-[^']+'/g) ?? []
  const app = new Hono()
    .use(pageHeaders({ usesStripe: true, framesOthers: false, scriptHashes }))
    .get('/', (c) => c.text(''))
  return Object.fromEntries((await app.request('/')).headers)
}

/** Runs in the page: uses nothing of this file. Throws an IntegrationError where Stripe does. */
function stripeJs() {
  type Handler = (event: object) => void
  type Fields = Record<string, string>
  type Failure = { error: { type: string; code?: string; decline_code?: string } }
  type Intent = { next_action: { redirect_to_url: { url: string } } | null }

  const page = window as unknown as Fake & { Stripe: unknown }
  page.stripeCalls = []
  const record = (name: string, argument?: Options) =>
    page.stripeCalls.push([name, argument && JSON.parse(JSON.stringify(argument))])

  class IntegrationError extends Error {}

  function requireOnly(given: Options, known: string, where: string) {
    for (const name of Object.keys(given))
      if (!known.split(' ').includes(name)) throw new IntegrationError(`${where} takes no ${name}`)
  }

  const parts = {
    payment: ['Card number', 'Expiration', 'CVC'],
    address: ['Full name', 'Address', 'City', 'State', 'ZIP code', 'Phone number'],
  }
  /** The options that Stripe knows. */
  const known = {
    payment: 'layout fields wallets terms defaultValues readOnly paymentMethodOrder business',
    address:
      'mode fields validation defaultValues autocomplete display allowedCountries blockPoBox contacts',
    elements:
      'mode amount currency paymentMethodCreation allowedPaymentMethodTypes locale appearance fonts' +
      ' setupFutureUsage loader captureMethod onBehalfOf',
  }

  class Element {
    readonly handlers: [event: string, handler: Handler][] = []
    readonly box = document.createElement('div')
    readonly type: keyof typeof parts

    constructor(type: keyof typeof parts, options: Options) {
      requireOnly(options, known[type], `The ${type} element`)
      this.type = type
      record(type, options)
      for (const label of parts[type]) {
        const field = document.createElement('input')
        field.setAttribute('aria-label', label)
        field.placeholder = label
        field.addEventListener('input', () => this.tell('change'))
        this.box.append(field)
      }
    }

    on(event: string, handler: Handler) {
      this.handlers.push([event, handler])
    }
    off() {}
    update() {}
    focus() {
      this.box.querySelector('input')?.focus()
    }
    mount(where: HTMLElement) {
      where.append(this.box)
      setTimeout(() => this.tell('ready'))
    }
    destroy() {
      this.box.remove()
    }
    tell(told: string) {
      for (const [event, handler] of this.handlers)
        if (event === told) handler({ elementType: this.type, ...this.state() })
    }
    values(): Fields {
      return Object.fromEntries(
        [...this.box.querySelectorAll('input')].map((field) => [field.ariaLabel!, field.value]),
      )
    }
    state() {
      const values = this.values()
      const address = {
        line1: values['Address'],
        line2: null,
        city: values['City'],
        state: values['State'],
        postal_code: values['ZIP code'],
        country: 'US',
      }
      return {
        complete: Object.values(values).every(Boolean),
        value: { name: values['Full name'], phone: values['Phone number'], address },
      }
    }
    // oxlint-disable-next-line typescript/require-await -- as Stripe's
    async getValue() {
      return this.state()
    }
  }

  class Elements {
    readonly made: Element[] = []
    readonly options: Options
    isSubmitted = false

    constructor(options: Options) {
      requireOnly(options, known.elements, 'elements()')
      this.options = options
      record('elements', options)
    }
    create(type: keyof typeof parts, options: Options = {}) {
      const element = new Element(type, options)
      this.made.push(element)
      return element
    }
    getElement(asked: string | { __elementType: string }) {
      const type = typeof asked === 'string' ? asked : asked.__elementType
      return this.made.find((element) => element.type === type) ?? null
    }
    update() {}
    // oxlint-disable-next-line typescript/require-await -- as Stripe's
    async submit() {
      this.isSubmitted = true
      const isComplete = this.made.every((element) => element.state().complete)
      return isComplete ? {} : { error: { type: 'validation_error', code: 'incomplete_fields' } }
    }
  }

  async function ask<Answer>(path: string, fields?: Fields): Promise<Answer | Failure> {
    const headers = { authorization: 'Bearer pk_test_sandbox' }
    const init = fields
      ? { method: 'POST', headers, body: new URLSearchParams(fields) }
      : { headers }
    return (await (await fetch(`/sandbox/stripe/v1/${path}`, init)).json()) as Answer | Failure
  }

  const idOf = (clientSecret: string) => clientSecret.split('_secret_')[0]!

  const failed = (answer: object): answer is Failure => 'error' in answer

  async function makeCard(elements: Elements, name?: string) {
    if (!elements.isSubmitted) throw new IntegrationError('elements.submit() must be called first')
    const card = elements.getElement('payment')!.values()
    const holder = name ?? elements.getElement('address')?.values()['Full name']
    const [month = '', year = ''] = card['Expiration']!.split('/').map((part) => part.trim())
    return ask<{ id: string }>('payment_methods', {
      type: 'card',
      'card[number]': card['Card number']!.replaceAll(' ', ''),
      'card[exp_month]': month,
      'card[exp_year]': `20${year}`,
      'card[cvc]': card['CVC']!,
      ...(holder && { 'billing_details[name]': holder }),
    })
  }

  /** Shows the bank's dialog. Closing it leaves the bank without an answer. */
  async function askBank(clientSecret: string) {
    const answer = await new Promise<string>((resolve) => {
      const dialog = document.createElement('dialog')
      dialog.ariaLabel = 'Bank'
      for (const words of ['Complete', 'Fail', 'Close']) {
        const button = document.createElement('button')
        button.textContent = words
        button.addEventListener('click', () => (dialog.remove(), resolve(words)))
        dialog.append(button)
      }
      document.body.append(dialog)
      dialog.showModal()
    })
    if (answer === 'Close') return
    const body = new URLSearchParams({ client_secret: clientSecret, outcome: answer.toLowerCase() })
    await fetch(`/sandbox/authenticate/${idOf(clientSecret)}`, { method: 'POST', body })
  }

  async function retrieveSetupIntent(clientSecret: string) {
    const path = `setup_intents/${idOf(clientSecret)}?client_secret=${clientSecret}`
    return { setupIntent: await ask<Intent>(path) }
  }

  function Stripe(key: string) {
    record('Stripe', { key })
    return {
      retrieveSetupIntent,
      elements: (options: Options) => new Elements(options),
      // React's components for Stripe refuse a Stripe.js without these.
      createToken() {},
      confirmCardPayment() {},

      async createPaymentMethod({ elements, ...rest }: { elements: Elements }) {
        requireOnly(rest, 'params', 'createPaymentMethod()')
        record('createPaymentMethod')
        if (page.makesNoCard) return {}
        if (elements.options['paymentMethodCreation'] !== 'manual')
          throw new IntegrationError('paymentMethodCreation must be manual')
        const card = await makeCard(elements)
        return failed(card) ? card : { paymentMethod: card }
      },

      async confirmSetup({
        elements,
        ...rest
      }: {
        elements: Elements
        clientSecret: string
        confirmParams: {
          return_url: string
          payment_method_data?: { billing_details?: { name?: string } }
        }
        redirect: string
      }) {
        record('confirmSetup', rest)
        if (page.makesNoCard) return {}
        const { clientSecret, confirmParams } = rest
        const name = confirmParams.payment_method_data?.billing_details?.name
        if (name === undefined)
          throw new IntegrationError('payment_method_data.billing_details.name is missing')
        const card = await makeCard(elements, name)
        if (failed(card)) return card
        const confirmed = await ask<Intent>(`setup_intents/${idOf(clientSecret)}/confirm`, {
          client_secret: clientSecret,
          payment_method: card.id,
          return_url: confirmParams.return_url,
        })
        if (failed(confirmed)) return confirmed
        const url = confirmed.next_action?.redirect_to_url.url
        if (url !== undefined && page.bankRedirects) {
          location.assign(url)
          return new Promise(() => {})
        }
        return retrieveSetupIntent(clientSecret)
      },

      async handleNextAction({ clientSecret }: { clientSecret: string }) {
        record('handleNextAction', { clientSecret })
        await askBank(clientSecret)
      },
    }
  }

  page.Stripe = Object.assign(Stripe, { version: 'endive' })
}
