import type { Context } from 'hono'
import { html } from 'hono/html'
import { testCards } from '../cards/test-cards.ts'
import type { World } from '../store/tx.ts'
import { page } from './layout.ts'
import { pathFrom, reader } from './reader.ts'
import { table } from './table.ts'

export async function indexPage(c: Context, world: World) {
  const reading = await reader(c, world)
  const { t } = reading
  const title = t('sandbox.index.title')
  const columns = [t('sandbox.index.number'), t('sandbox.index.brand'), t('sandbox.index.does')]
  const rows = Object.entries(testCards).map(([number, { brand, does }]) => [
    html`<span class="mono">${grouped(number)}</span>`,
    html`<span class="brand">${brand}</span>`,
    html`${t(does)}`,
  ])
  return page(
    c,
    reading,
    title,
    html`<main>
      <h1>${title}</h1>
      <p>${t('sandbox.index.intro')}</p>
      <p class="row">
        <a class="button" href="${pathFrom(c, '/sandbox/clock')}">${t('sandbox.index.clock')}</a>
        <a class="button" href="${pathFrom(c, '/sandbox/control')}"
          >${t('sandbox.index.control')}</a
        >
      </p>
      <section class="card">
        <h2>${t('sandbox.index.cards')}</h2>
        ${table(t('sandbox.index.cards'), columns, rows)}
        <p class="soft">${t('sandbox.index.anyDate')}</p>
      </section>
    </main>`,
  )
}

function grouped(number: string): string {
  return number.length === 15
    ? number.replace(/(.{4})(.{6})(.{5})/, '$1 $2 $3')
    : number.replaceAll(/(.{4})(?=.)/g, '$1 ')
}
