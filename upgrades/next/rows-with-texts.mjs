// Gives the rows of calls in modules their new form: read(caller, input, gives<Answer>()) becomes
// read(caller, 'What it does.', { input, answer }). The answers accept anything of their type until
// somebody describes their fields, and every call may give every reason of its module.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { parseSync } from 'vite'

for (const file of globSync('modules/*/contract.ts')) {
  const source = readFileSync(file, 'utf8')
  const changed = change(source)
  if (changed !== source) writeFileSync(file, changed)
}

function change(source) {
  const { program, comments } = parseSync('contract.ts', source)
  const text = ({ start, end }) => source.slice(start, end)
  const edits = []
  const reasons = [...keysOf('refusals', program), 'limitReached', 'notInPlan']
  for (const property of rowsOf(program)) {
    const { callee, arguments: args } = property.value
    if (isText(args[1])) continue
    const comment = comments.findLast(
      ({ end }) => end <= property.start && /^\s*$/.test(source.slice(end, property.start)),
    )
    const [caller, input, answer] = args
    const parts = [
      input && text(input) !== '{}' && `input: ${text(input)}`,
      answer && `answer: { ${answerOf(answer, text)} }`,
      'refusals: reasons',
    ].filter(Boolean)
    const said = comment ? sentences(comment.value) : inWords(text(property.key))
    edits.push({
      start: comment ? comment.start : property.start,
      end: property.end,
      text: `${text(property.key)}: ${text(callee)}(${text(caller)}, ${said}, { ${parts.join(', ')} })`,
    })
  }
  const done = edits.reduceRight(
    (code, { start, end, text }) => code.slice(0, start) + text + code.slice(end),
    source,
  )
  if (edits.length === 0) return source
  const withoutGives = done
    .replace(/\bgives, |, gives\b/, '')
    .replace(
      'export const calls',
      `const reasons = ${JSON.stringify(reasons)}\n\nexport const calls`,
    )
  const needsZod = withoutGives.includes('z.custom<') && !withoutGives.includes("from 'zod/mini'")
  return needsZod ? `import * as z from 'zod/mini'\n${withoutGives}` : withoutGives
}

function rowsOf(program) {
  return membersOf('calls', program).filter(({ value }) => value?.type === 'CallExpression')
}

function keysOf(table, program) {
  return membersOf(table, program).map(({ key }) => key.name ?? key.value)
}

function membersOf(table, program) {
  const found = program.body
    .map((statement) => statement.declaration?.declarations?.[0])
    .find((declaration) => declaration?.id.name === table)
  return found?.init.properties ?? []
}

/** The members of `gives<{ … }>()` as fields. */
function answerOf(answer, text) {
  const [type] = answer.typeArguments?.params ?? []
  if (type?.type !== 'TSTypeLiteral')
    throw new Error(`Write the answer as z.custom fields: ${text(answer)}`)
  return type.members
    .map((member) => {
      const field = `z.custom<${text(member.typeAnnotation.typeAnnotation)}>()`
      return `${text(member.key)}: ${member.optional ? `z.optional(${field})` : field}`
    })
    .join(', ')
}

function isText(node) {
  return node?.type === 'TemplateLiteral' || typeof node?.value === 'string'
}

function sentences(comment) {
  const text = comment
    .replaceAll(/^\s*\*+ ?/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return JSON.stringify(/[.!?]$/.test(text) ? text : `${text}.`)
}

/** `sellBoat` as “Sell boat.” */
function inWords(name) {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `'${words[0].toUpperCase()}${words.slice(1)}.'`
}
