import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseSync, Visitor, type ESTree } from 'vite'
import { expect, test } from 'vitest'
import { loadMessages } from '../locales/load-translator.ts'
import { findMessage } from '../locales/translator.ts'

const root = join(import.meta.dirname, '..')
const english = await loadMessages('en')

/** Attributes whose text people see or a screen reader reads out. */
const read = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'aria-placeholder',
  'aria-roledescription',
  'aria-valuetext',
  'label',
  'placeholder',
  'title',
])

test('components show no literal text, only texts from locales/', async () => {
  const loose: string[] = []
  for await (const file of glob('{client,modules}/**/*.tsx', { cwd: root }))
    loose.push(
      ...looseTexts(await readFile(join(root, file), 'utf8')).map((text) => `${file}: ${text}`),
    )
  expect(loose).toEqual([])
})

test.each([
  ['<p>Hello</p>', ['Hello']],
  ['<p>{isOpen ? "Open" : t("common.yes")}</p>', ['Open']],
  ['<p>{isOpen && `Open since ${date}`}</p>', ['Open since ']],
  ['<p>{"Open " + date}</p>', ['Open ']],
  ['<img alt="A cat" />', ['A cat']],
  ['<Button aria-label={isOpen ? "Close" : "common.yes"} title={t("common.no")} />', ['Close']],
  ['<Card title="common.loading">{"a" === b ? 1 : `${c}, ${d}`} 4242 •••</Card>', []],
])('the search for literal texts finds those in %s', (source, texts) => {
  expect(looseTexts(source)).toEqual(texts)
})

/** Returns the literal texts that people would see, except the keys of messages. */
function looseTexts(source: string): string[] {
  const texts: string[] = []
  const { program, errors } = parseSync('component.tsx', source)
  expect(errors).toEqual([])
  new Visitor({
    JSXText: ({ value }) => void texts.push(value),
    JSXAttribute({ name, value }) {
      if (name.type === 'JSXIdentifier' && read.has(name.name) && value)
        texts.push(...textsOf(value))
    },
    JSXElement: ({ children }) => void texts.push(...children.flatMap(textsOf)),
    JSXFragment: ({ children }) => void texts.push(...children.flatMap(textsOf)),
  }).visit(program)
  return texts.filter((text) => /\p{Letter}/u.test(text) && !isKey(text))
}

function isKey(text: string) {
  return [text, `${text}_other`].some((key) => findMessage(english, key) !== undefined)
}

/** Returns the string literals that an expression may evaluate to. */
function textsOf(node: ESTree.Node): string[] {
  switch (node.type) {
    case 'JSXExpressionContainer':
      return textsOf(node.expression)
    case 'Literal':
      return typeof node.value === 'string' ? [node.value] : []
    case 'TemplateLiteral':
      return [...node.quasis.map(({ value }) => value.raw), ...node.expressions.flatMap(textsOf)]
    case 'ConditionalExpression':
      return [node.consequent, node.alternate].flatMap(textsOf)
    case 'LogicalExpression':
    case 'BinaryExpression':
      return node.operator === '+' || node.type === 'LogicalExpression'
        ? [node.left, node.right].flatMap(textsOf)
        : []
    default:
      return []
  }
}
