import { product } from '#config/product.ts'
import {
  callsOf,
  schemaNamesOf,
  type Document,
  type Operation,
  type Schema,
} from '#contract/openapi.ts'
import { html } from 'hono/html'
import { devPage } from './page.ts'

/** The page of /api-reference: what /openapi.json says, as HTML without scripts. */
export async function referencePage(api: Document) {
  const { info, tags, webhooks, components } = api
  const { schemas } = components
  const operations = callsOf(api)
  const entities = Object.keys(schemas).filter((name) => !/(?:Input|Answer)$/.test(name))
  const groups = tags.map(({ name }) => {
    const calls = operations.filter((call) => call.tags.includes(name))
    return { name, ids: calls.map((call) => call.operationId), calls }
  })
  const page = await devPage(
    `${info.title} ${info.version}`,
    html`<p>${inWords(info.description)}</p>
      <p>For programs: <a href="/openapi.json">/openapi.json</a></p>
      <nav aria-label="Calls" class="calls">
        ${[...groups, { name: 'entities', ids: entities }].map(
          ({ name, ids }) =>
            html`<details>
              <summary>${name}</summary>
              <ul>
                ${ids.map((id) => html`<li><a href="#${id}">${id}</a></li>`)}
              </ul>
            </details>`,
        )}
      </nav>
      ${groups.map(
        ({ name, calls }) =>
          html`<h2>${name}</h2>
            ${calls.map((call) => callSection(call, schemas))}`,
      )}
      ${Object.values(webhooks).map(
        ({ post: { operationId: name, description } }) =>
          html`<h2>webhooks</h2>
            <section class="card call">
              <h3>${name}</h3>
              <p>${inWords(description)}</p>
            </section>`,
      )}
      <h2>entities</h2>
      ${entities.map(
        (name) =>
          html`<section id="${name}" class="card call">
            <h3>${name}</h3>
            ${fieldsOf(schemas[name]!)}
          </section>`,
      )}`,
  )
  return page.toString()
}

/** The text of /llms.txt, in the form of https://llmstxt.org. */
export function llmsText(api: Document, tagline: string) {
  const { info, tags } = api
  const groups = tags.map(({ name }) => {
    const calls = callsOf(api).filter((call) => call.tags.includes(name))
    const lines = calls.map(
      ({ operationId: id, summary }) => `- [${id}](/api-reference#${id}): ${summary}`,
    )
    return `## ${name}\n\n${lines.join('\n')}\n`
  })
  return `# ${product.name}

> ${tagline}

${info.description}

- [OpenAPI document](/openapi.json)
- [Reference](/api-reference)

${groups.join('\n')}`
}

type Schemas = Record<string, Schema>

function callSection({ operationId: id, description, responses }: Operation, schemas: Schemas) {
  const names = schemaNamesOf(id)
  const refused = Object.entries(responses).filter(([status]) => status !== '200')
  return html`<section id="${id}" class="card call">
    <h3><a href="#${id}">${id}</a></h3>
    ${description.split('\n\n').map((text) => html`<p>${inWords(text)}</p>`)}
    <h4>Input</h4>
    ${fieldsOf(schemas[names.input]!)}
    <h4>Answer</h4>
    ${fieldsOf(schemas[names.answer]!)}
    <h4>Refusals</h4>
    <dl>
      ${refused.map(
        ([status, { description }]) =>
          html`<dt>${status}</dt>
            <dd>${description.replace('Refused: ', '')}</dd>`,
      )}
    </dl>
  </section>`
}

type Html = ReturnType<typeof html>

function fieldsOf({ description, properties = {}, required = [], anyOf }: Schema): Html {
  const fields = Object.entries(properties)
  return html`${description ? html`<p>${inWords(description)}</p>` : ''}
    ${
      anyOf?.map(
        (one) =>
          html`<p>Either:</p>
            ${fieldsOf(one)}`,
      ) ?? ''
    }
    ${fields.length === 0 && !anyOf ? html`<p class="soft">No fields.</p>` : ''}
    <dl>
      ${fields.map(
        ([name, field]) =>
          html`<dt>
              <code>${name}</code>
              <span class="soft"
                >${typeOf(field)}${required.includes(name) ? '' : ', optional'}</span
              >
            </dt>
            <dd>${fieldText(field)}</dd>`,
      )}
    </dl>`
}

/** What a field says, and the fields of an object that has no name of its own. */
function fieldText({ description, ...field }: Schema): Html | string {
  const inner = [field, field.items, ...(field.anyOf ?? [])].find((one) => one?.properties)
  return html`${inWords(description ?? '')}${inner ? fieldsOf({ ...inner, description: '' }) : ''}`
}

function typeOf(schema: Schema): Html | string {
  const { $ref, type, items, anyOf, const: constant, enum: values, additionalProperties } = schema
  const name = $ref?.split('/').at(-1)
  if (name) return html`<a href="#${name}">${name}</a>`
  if (anyOf) return listed(anyOf.map(typeOf))
  if (values && values.length > 20) return `one of ${values.length}`
  if (values) return listed(values.map((value) => JSON.stringify(value)))
  if (constant !== undefined) return JSON.stringify(constant)
  if (items) return html`list of ${typeOf(items)}`
  if (typeof additionalProperties === 'object')
    return html`object of ${typeOf(additionalProperties)}`
  return [type ?? 'anything'].flat().join(' or ')
}

function listed(all: (Html | string)[]) {
  return html`${all.map((one, place) => html`${place > 0 ? ' or ' : ''}${one}`)}`
}

/** Text in which words between backticks are code. */
function inWords(text: string) {
  return text
    .split('`')
    .map((part, place) => (place % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
}
