import type { Context } from 'hono'
import { html } from 'hono/html'
import { testCards } from '../cards/test-cards.ts'
import type { World } from '../store/tx.ts'
import { page } from './layout.ts'

export function indexPage(c: Context, { account }: World) {
  return page(
    c,
    'Sandbox',
    html`<main>
      <h1>Payment sandbox</h1>
      <p>
        ${account.name} runs without a Stripe key, so this stand-in answers in Stripe's place: customers, cards, subscriptions, invoices and
        webhooks all work, and no money moves.
      </p>
      <p class="row">
        <a class="button" href="/sandbox/clock">Move the clock</a>
        <a class="button" href="/sandbox/control">Let things go wrong</a>
      </p>
      <section class="card scroll">
        <h2>Test cards</h2>
        <table>
          <thead>
            <tr>
              <th>Number</th>
              <th>Brand</th>
              <th>What it does</th>
            </tr>
          </thead>
          <tbody>
            ${Object.entries(testCards).map(
              ([number, { brand, does }]) =>
                html`<tr>
                  <td class="mono nowrap">${grouped(number)}</td>
                  <td>${brand}</td>
                  <td>${does}</td>
                </tr>`,
            )}
          </tbody>
        </table>
        <p class="soft">Any future expiry and any security code will do. Other numbers are refused.</p>
      </section>
    </main>`,
  )
}

function grouped(number: string): string {
  return number.length === 15 ? number.replace(/(.{4})(.{6})(.{5})/, '$1 $2 $3') : number.replaceAll(/(.{4})(?=.)/g, '$1 ')
}
