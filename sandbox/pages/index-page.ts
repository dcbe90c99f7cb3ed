import type { Context } from 'hono'
import { html } from 'hono/html'
import { testCards } from '../cards/test-cards.ts'
import type { World } from '../store/tx.ts'
import { brandName } from './format.ts'
import { page } from './layout.ts'
import { table } from './table.ts'

export function indexPage(c: Context, { merchant }: World) {
  const rows = Object.entries(testCards).map(([number, { brand, does }]) => [
    html`<span class="mono">${grouped(number)}</span>`,
    html`${brandName(brand)}`,
    html`${does}`,
  ])
  return page(
    c,
    'Payment sandbox',
    html`<main>
      <h1>Payment sandbox</h1>
      <p>
        ${merchant.name} runs without a Stripe key, so this sandbox answers in Stripe's place:
        customers, cards, subscriptions, invoices and webhooks all work, and no money moves.
      </p>
      <p class="row">
        <a class="button" href="/sandbox/clock">Move the clock</a>
        <a class="button" href="/sandbox/control">Let things go wrong</a>
      </p>
      <section class="card">
        <h2>Test cards</h2>
        ${table('Test cards', ['Number', 'Brand', 'What it does'], rows)}
        <p class="soft">
          Any future expiry and any security code will do. Other numbers are refused.
        </p>
      </section>
    </main>`,
    { bar: merchant },
  )
}

function grouped(number: string): string {
  return number.length === 15
    ? number.replace(/(.{4})(.{6})(.{5})/, '$1 $2 $3')
    : number.replaceAll(/(.{4})(?=.)/g, '$1 ')
}
