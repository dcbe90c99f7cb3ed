import { userInfo } from 'node:os'
import { parseArgs } from 'node:util'
import type { Command } from '../admin/command.ts'
import { commands } from '../admin/commands.ts'
import { inWords } from '../admin/in-words.ts'
import { openServer } from '../open-server.ts'
import { Refusal } from '../platform/refusal.ts'
import { StartError } from '../platform/start-error.ts'
import { runOn, type Place } from './run-tool.ts'

const options = {
  json: { type: 'boolean', default: false },
  by: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const

/**
 * Runs an operator's command on the product's own services and returns the text to print: see
 * docs/decisions/015-an-operator-is-a-server-without-a-port.md.
 */
export async function admin({ connection, env, log }: Place, args: string[]) {
  const { words, json, by, help } = read(args)
  const [name, ...given] = words
  if (help || name === undefined) return usage
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command || !fits(command, given)) throw new StartError(usage)
  const own = { ...env, role: 'web', pooler: undefined, metricsToken: undefined } as const
  const server = await openServer({ env: own, connection, log, as: 'admin', scheduled: false })
  try {
    const desk = { services: server.services, operator: { operator: by } }
    const answer = await command.run(desk, ...given)
    return json ? JSON.stringify(answer) : inWords(answer)
  } catch (error) {
    throw error instanceof Refusal ? new StartError(`${error.message} (${error.reason})`) : error
  } finally {
    await server.stop()
  }
}

function read(args: string[]) {
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    return { ...values, words: positionals, by: values.by ?? operatingUser() }
  } catch {
    throw new StartError(usage)
  }
}

/** The name of the person at the machine, also behind sudo. In a container it may have none. */
function operatingUser() {
  try {
    return process.env['SUDO_USER'] ?? userInfo().username
  } catch {
    return `user ${process.getuid!()}`
  }
}

function fits({ takes }: Command, given: string[]) {
  const needed = takes.filter((word) => !word.startsWith('['))
  return given.length >= needed.length && given.length <= takes.length
}

const lines = Object.entries(commands).map(
  ([name, { takes, does }]) => `  ${[name, ...takes].join(' ').padEnd(26)}${does}`,
)
const usage = `Usage: npm run admin -- COMMAND [--json] [--by NAME]

${lines.join('\n')}

An ADDRESS may also be a person's id. --json prints one JSON value. --by says who you are, for the log.`

if (import.meta.main) await runOn(admin)
