import { html } from 'hono/html'
import type { Html } from './layout.ts'

/**
 * An HTML table. On a phone each row is shown as a card in which each cell names its column. The
 * ARIA roles keep it a table for screen readers. `end` has the indexes of columns that are aligned
 * to the right. `foot` has sums, each with a name and an amount.
 */
export function table(
  caption: string,
  columns: string[],
  rows: Html[][],
  { end = [] as number[], foot = [] as Html[][] } = {},
) {
  const place = (column: number) => (end.includes(column) ? 'end' : '')
  return html`<table role="table" class="stacks">
    <caption class="unseen">
      ${caption}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${columns.map((name, column) => html`<th role="columnheader" scope="col" class="${place(column)}">${name}</th>`)}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map(
        (cells) =>
          html`<tr role="row">
            ${cells.map(
              (cell, column) =>
                html`<td role="cell" class="${place(column)}">
                  <span class="name" aria-hidden="true">${columns[column]}</span>
                  <div>${cell}</div>
                </td>`,
            )}
          </tr>`,
      )}
    </tbody>
    ${foot.length ? sums(foot, columns.length) : ''}
  </table>`
}

function sums(foot: Html[][], width: number) {
  return html`<tfoot role="rowgroup">
    ${foot.map(
      ([name, amount]) =>
        html`<tr role="row">
          <th role="rowheader" scope="row" colspan="${width - 1}">${name}</th>
          <td role="cell" class="end">${amount}</td>
        </tr>`,
    )}
  </tfoot>`
}
