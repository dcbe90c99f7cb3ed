import { userInfo } from 'node:os'
import { createInterface } from 'node:readline/promises'
import { didYouMean } from '../../scripts/commands.mjs'
import type { Command } from '../admin/command.ts'
import { commands } from '../admin/commands.ts'
import { inWords } from '../admin/in-words.ts'
import { openServer } from '../../server/open-server.ts'
import { Refusal } from '../../server/platform/refusal.ts'
import { StartError } from '../../server/platform/start-error.ts'
import { shown } from '../../server/platform/terminal.ts'
import { argumentsOf, runOn, type Place } from './run-tool.ts'

type Asked = { command: Command; given: string[]; by: string; json: boolean }

/**
 * Runs an operator's command on the product's own services and returns the text to print: see
 * docs/decisions/015-an-operator-is-a-server-without-a-port.md.
 */
export async function admin({ connection, env, log }: Place, asked: Asked) {
  const own = { ...env, role: 'web', pooler: undefined, metricsToken: undefined } as const
  const server = await openServer({ env: own, connection, log, as: 'admin', scheduled: false })
  try {
    const desk = { services: server.services, operator: { operator: asked.by } }
    const answer = await asked.command.run(desk, ...asked.given)
    return asked.json ? JSON.stringify(answer) : inWords(answer)
  } catch (error) {
    throw error instanceof Refusal ? new StartError(`${error.message} (${error.reason})`) : error
  } finally {
    await server.stop()
  }
}

/**
 * Reads the arguments. What can't be undone wants --yes; at a terminal, `ask` puts a question in
 * its place.
 */
export async function readAdmin(args: string[], ask?: (question: string) => Promise<string>) {
  const { words, values, help } = argumentsOf('admin')(args)
  const [name, ...given] = words
  if (help || name === undefined) return { help: usage }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) {
    const meant = didYouMean(name, Object.keys(commands))
    throw new StartError(`There is no command ${name}.${meant}\n\n${usage}`)
  }
  const line = `npm run admin -- ${[name, ...command.takes].join(' ')}`
  const missing = command.takes.filter((word) => !word.startsWith('['))[given.length]
  if (missing) throw new StartError(`${missing} is missing: ${line}`)
  const surplus = given[command.takes.length]
  if (surplus !== undefined) throw new StartError(`“${surplus}” is too much: ${line}`)
  if (command.final !== undefined && !('yes' in values)) {
    const what = `${words.join(' ')}: ${command.final}`
    if (!ask) throw new StartError(`${what} Add --yes to do it.`)
    if (!/^y(es)?$/i.test((await ask(`${what} Type yes to do it: `)).trim()))
      throw new StartError('Nothing was done.')
  }
  const by = values['by'] ?? operatingUser()
  return { asked: { command, given, by, json: 'json' in values } }
}

/** The name of the person at the machine, also behind sudo. In a container it may have none. */
function operatingUser() {
  try {
    return process.env['SUDO_USER'] ?? userInfo().username
  } catch {
    return `user ${process.getuid!()}`
  }
}

const rows = Object.entries(commands).map(
  ([name, { takes, does }]) => [[name, ...takes].join(' '), does] as const,
)
const width = Math.max(...rows.map(([words]) => words.length))
const lines = rows.map(([words, does]) => `  ${words.padEnd(width)}  ${does}`)
const usage = `Usage: npm run admin -- COMMAND [--json] [--by NAME] [--yes]

${lines.join('\n')}

An ADDRESS may also be a person's id. --json prints one JSON value. --by
says who you are, for the log. --yes does without asking what can’t be undone. Times are UTC.`

function askAtTerminal() {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined
  return async (question: string) => {
    const terminal = createInterface({ input: process.stdin, output: process.stderr })
    try {
      return await terminal.question(shown(question))
    } finally {
      terminal.close()
    }
  }
}

if (import.meta.main)
  await runOn(
    (args) => readAdmin(args, askAtTerminal()),
    (place, { asked }) => admin(place, asked!),
  )
