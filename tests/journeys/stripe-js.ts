import type { Page } from '@playwright/test'
import { Hono } from 'hono'
import { pageHeaders } from '../../server/http/security-headers.ts'

/** A call of Stripe.js: its name and its arguments. */
export type StripeCall = [name: string, argument?: Record<string, unknown>]

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
    await route.fulfill({
      status: response.status(),
      contentType: 'text/html; charset=UTF-8',
      headers,
      body,
    })
  })
  await page.route('https://js.stripe.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: `(${stripeJs.toString()})()` }),
  )
  return {
    calls: () =>
      page.evaluate(() => (window as unknown as { stripeCalls: StripeCall[] }).stripeCalls),
    /** From now on the bank asks on a page of its own instead of in a dialog. */
    redirectToBank: () =>
      page.evaluate(
        () => void ((window as unknown as { bankRedirects: boolean }).bankRedirects = true),
      ),
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

/** Runs in the page, so it uses nothing outside. Throws an IntegrationError where Stripe does. */
function stripeJs() {
  type Handler = (event: object) => void
  type Fields = Record<string, string>
  type Options = Record<string, unknown>
  type Intent = {
    id: string
    status: string
    next_action: { redirect_to_url: { url: string } } | null
    [name: string]: unknown
  }
  type Failure = { error: { type: string; code?: string; decline_code?: string; message?: string } }

  const calls: [string, Options?][] = []
  const page = window as unknown as {
    stripeCalls: typeof calls
    bankRedirects?: boolean
    Stripe: unknown
  }
  page.stripeCalls = calls
  const record = (name: string, argument?: Options) =>
    calls.push([name, argument && JSON.parse(JSON.stringify(argument))])

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
    readonly handlers: Record<string, Handler[]> = {}
    readonly box = document.createElement('div')
    readonly type: keyof typeof parts
    options: Options

    constructor(type: keyof typeof parts, options: Options) {
      requireOnly(options, known[type], `The ${type} element`)
      this.type = type
      this.options = options
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
      ;(this.handlers[event] ??= []).push(handler)
      return this
    }
    once(event: string, handler: Handler) {
      return this.on(event, handler)
    }
    off() {
      return this
    }
    update(options: Options) {
      this.options = { ...this.options, ...options }
    }
    mount(where: HTMLElement) {
      where.append(this.box)
      setTimeout(() => this.tell('ready'))
    }
    unmount() {
      this.box.remove()
    }
    destroy() {
      this.box.remove()
    }
    tell(event: string) {
      for (const handler of this.handlers[event] ?? [])
        handler({ elementType: this.type, ...this.state() })
    }
    values(): Fields {
      return Object.fromEntries(
        [...this.box.querySelectorAll('input')].map((field) => [field.ariaLabel!, field.value]),
      )
    }
    state() {
      return {
        complete: Object.values(this.values()).every(Boolean),
        empty: false,
        value: this.address(),
      }
    }
    address() {
      const {
        'Full name': name,
        Address: line1,
        City: city,
        State: state,
        'ZIP code': postal_code,
        'Phone number': phone,
      } = this.values()
      return {
        name,
        phone,
        address: { line1, line2: null, city, state, postal_code, country: 'US' },
      }
    }
    // oxlint-disable-next-line typescript/require-await -- as Stripe's
    async getValue() {
      return { ...this.state(), isNewAddress: true }
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
    update(options: Options) {
      record('elements.update', options)
    }
    on() {}
    // oxlint-disable-next-line typescript/require-await -- as Stripe's
    async submit() {
      record('submit')
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

  const failed = (answer: object): answer is Failure => 'error' in answer

  async function makeCard(elements: Elements, name?: string) {
    if (!elements.isSubmitted) throw new IntegrationError('elements.submit() must be called first')
    const card = elements.getElement('payment')!.values()
    const address = elements.getElement('address')?.address()
    const [month = '', year = ''] = card['Expiration']!.split('/').map((part) => part.trim())
    return ask<{ id: string }>('payment_methods', {
      type: 'card',
      'card[number]': card['Card number']!.replaceAll(' ', ''),
      'card[exp_month]': month,
      'card[exp_year]': `20${year}`,
      'card[cvc]': card['CVC']!,
      ...((name ?? address?.name) && { 'billing_details[name]': name ?? address!.name! }),
    })
  }

  const pathOf = (clientSecret: string) => {
    const id = clientSecret.split('_secret_')[0]!
    return `${id.startsWith('seti_') ? 'setup_intents' : 'payment_intents'}/${id}`
  }
  const find = (clientSecret: string) =>
    ask<Intent>(`${pathOf(clientSecret)}?client_secret=${clientSecret}`)

  /** The outcome of the bank's dialog. Closing it answers nothing. */
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
    const outcome = answer === 'Complete' ? 'complete' : 'fail'
    const body = new URLSearchParams({ client_secret: clientSecret, outcome })
    await fetch(`/sandbox/authenticate/${clientSecret.split('_secret_')[0]}`, {
      method: 'POST',
      body,
    })
  }

  function Stripe(key: string) {
    record('Stripe', { key })
    return {
      elements: (options: Options) => new Elements(options),
      createToken() {},
      confirmCardPayment() {},
      _registerWrapper() {},
      registerAppInfo() {},

      async createPaymentMethod({ elements, ...rest }: { elements: Elements }) {
        requireOnly(rest, 'params', 'createPaymentMethod()')
        record('createPaymentMethod')
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
        confirmParams: Options
        redirect: string
      }) {
        record('confirmSetup', rest)
        const { clientSecret, confirmParams } = rest
        const given = (
          confirmParams['payment_method_data'] as
            | { billing_details?: { name?: string } }
            | undefined
        )?.billing_details?.name
        if (given === undefined)
          throw new IntegrationError(
            'the name is a field of yours: payment_method_data.billing_details.name is missing',
          )
        const card = await makeCard(elements, given)
        if (failed(card)) return card
        const fields = {
          client_secret: clientSecret,
          payment_method: card.id,
          return_url: String(confirmParams['return_url']),
        }
        const confirmed = await ask<Intent>(`${pathOf(clientSecret)}/confirm`, fields)
        if (failed(confirmed)) return confirmed
        const url = confirmed.next_action?.redirect_to_url.url
        if (url !== undefined && page.bankRedirects) {
          location.assign(url)
          return new Promise(() => {})
        }
        if (url !== undefined) await askBank(clientSecret)
        const setupIntent = await find(clientSecret)
        const refused = failed(setupIntent)
          ? undefined
          : (setupIntent['last_setup_error'] as Failure['error'] | null)
        return refused ? { error: refused } : { setupIntent }
      },

      async retrieveSetupIntent(clientSecret: string) {
        record('retrieveSetupIntent', { clientSecret })
        return { setupIntent: await find(clientSecret) }
      },

      async handleNextAction({ clientSecret }: { clientSecret: string }) {
        record('handleNextAction', { clientSecret })
        await askBank(clientSecret)
        const paymentIntent = await find(clientSecret)
        const refused = failed(paymentIntent)
          ? undefined
          : (paymentIntent['last_payment_error'] as Failure['error'] | null)
        return refused ? { error: refused } : { paymentIntent }
      },
    }
  }

  page.Stripe = Object.assign(Stripe, { version: 'endive' })
}
