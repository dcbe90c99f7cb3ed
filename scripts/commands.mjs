// What the commands of package.json take. Plain JavaScript for Node 18 and newer: scripts read it
// before anything is installed.
import { parseArgs } from 'node:util'

/**
 * `takes`: the command's words; those in brackets may be missing, and the last one may be repeated
 * if it ends in “…”. `options`: what each takes, if it takes anything, and what it does.
 */
const commands = {
  start: { does: 'Runs the server. Settings come from the environment and from .env.' },
  dev: { does: 'Runs the server and the app, and loads what changes in their files.' },
  seed: { does: 'Makes example people and projects on the running server, or on its data.' },
  migrate: {
    does: 'Brings the tables of the database up to date. Servers do so when they start.',
  },
  admin: {
    takes: ['[COMMAND]', '[WORD…]'],
    options: {
      json: ['', 'prints one JSON value'],
      by: ['NAME', 'who you are, for the log'],
      yes: ['', 'does without asking what can’t be undone'],
    },
    does: 'Shows and does what an operator may.',
  },
  backup: {
    takes: ['FILE'],
    does: 'Writes a backup into a new file, or to standard output for -.',
  },
  restore: {
    takes: ['FILE'],
    does: 'Puts a backup into an empty database. Reads - as standard input.',
  },
  fireact: {
    takes: ['FOLDER', 'FILE'],
    options: { plans: ['LIST', 'our plans for theirs, like starter=free,team=pro'] },
    does: 'Turns exports of fireact into a file for npm run admin -- import. docs/moving-here.md says which.',
  },
  trace: {
    takes: ['WHO'],
    does: 'Prints what stands in the log for an e-mail address, a network address or a user’s id.',
  },
  'stripe:setup': { does: 'Makes the prices and the webhook in the account of STRIPE_SECRET_KEY.' },
  'stripe:check': { does: 'Tests what the product needs of Stripe with a test-mode key.' },
  test: { does: 'Runs all checks and tests.' },
  'test:quick': { does: 'Runs the tests of files that take no more than seconds.' },
  check: { does: 'Checks format, lint, words, lockfile and types.' },
  'test:firebase': { does: 'Tests IDENTITY=firebase with Google’s emulator.' },
  'test:config': {
    takes: ['[FOLDER or JOURNEY…]'],
    does: 'Runs checks and tests in a copy in which every value of config/ is another.',
  },
  lighthouse: { takes: ['[SCREEN]'], does: 'Measures the main screens, or one, with Lighthouse.' },
  screens: {
    options: {
      language: ['CODE', 'draws one language'],
      screen: ['NAME', 'draws one screen or mail'],
    },
    does: 'Draws every screen and mail into screens/, and names texts that are cut off.',
  },
  pictures: { does: 'Draws the pictures of the README from the running product.' },
  icons: {
    does: 'Draws the icons and the picture for links from client/public/mark.svg, and writes the colors and fonts of client/theme.css for mails, /dev and the sandbox.',
  },
  rename: {
    takes: ['NAME'],
    options: {
      mark: ['FILE', 'the mark, an SVG like client/public/mark.svg'],
      color: ['COLOR', 'the brand’s color, like "#0a6"'],
    },
    does: 'Gives the product another name, and draws its icons. docs/make-it-yours.md says more.',
  },
  upgrade: {
    takes: ['VERSION'],
    options: { from: ['PLACE', 'a remote, address or folder that has the version, else upstream'] },
    does: 'Merges a later version, does what it asks for, and says what is left. docs/upgrading.md says more.',
  },
  build: { does: 'Builds the app, the server and the commands.' },
  pack: { takes: ['FOLDER'], does: 'Makes a folder that needs nothing but Node and PostgreSQL.' },
  'pack:function': { takes: ['FOLDER'], does: 'Makes the folder of a cloud function.' },
  words: {
    options: { strict: ['', 'fails if a complete language has a mistake'] },
    does: 'Lists the texts that each language lacks, and wrong ones.',
  },
  new: {
    takes: ['WHAT', 'NAME'],
    options: {
      module: ['MODULE', 'the module in which a call, screen, mail or job is made'],
      one: ['NAME', 'what one of a new module’s things is called, if NAME is no usual plural'],
    },
    does: 'Makes a module (npm run new -- module boats) and switches it on, or a call, screen, mail or job in one. docs/modules.md says more.',
  },
  migration: {
    options: {
      name: ['NAME', 'what the migration is about, in small letters with hyphens'],
      module: ['MODULE', 'the module whose tables have changed, instead of the core'],
    },
    does: 'Writes the next migration from server/store/schema.ts, or from the tables.ts of a module.',
  },
  bench: {
    options: {
      write: ['', 'writes the table into docs/performance.md'],
      soak: ['', 'also uses the server for ten minutes and watches its memory'],
    },
    does: 'Compares the product with bare servers that do the same work.',
  },
  'bench:data': { does: 'Makes the database of a million projects for the bench.' },
  'bench:processes': { does: 'Compares several server processes with one.' },
  rehearse: {
    takes: ['NAME'],
    options: {
      direct: ['', 'without PgBouncer'],
      lossy: ['', 'with a network that loses packets'],
      from: ['COMMIT', 'the version that is replaced'],
      keep: ['', 'keeps the folder of the rehearsal'],
    },
    does: 'Breaks things under load and accounts for every change: failover, faults or upgrade.',
  },
}

/** A wrong word or option. The message names it. */
export class ArgumentError extends Error {}

/**
 * Reads what a command is given. With `--help`, the answer is its usage alone.
 *
 * @typedef {{ words: string[], values: { [option: string]: string | undefined } }} Given
 * @param {string} name
 * @param {string[]} args
 * @returns {Given & { help?: string }}
 */
export function readArguments(name, args) {
  const { takes = [], options = {} } = commands[name]
  const usage = usageOf(name)
  const { words, values } = parsed(args, options, usage)
  if ('help' in values) return { words: [], values: {}, help: usage }
  const missing = takes.filter((word) => !word.startsWith('['))[words.length]
  if (missing) throw new ArgumentError(`${missing} is missing.\n\n${usage}`)
  const surplus = takes.at(-1)?.endsWith('…]') ? undefined : words[takes.length]
  if (surplus !== undefined) throw new ArgumentError(`“${surplus}” is too much.\n\n${usage}`)
  return { words, values }
}

/** The same for a script, which prints the usage, or what is wrong, and ends. */
export function begin(name, args) {
  try {
    const { help, ...given } = readArguments(name, args)
    if (!help) return given
    console.log(help)
    process.exit(0)
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error
    console.error(error.message)
    process.exit(1)
  }
}

/**
 * A sentence that names what `word` may have been meant to be. Empty if nothing is near.
 *
 * @param {string} word
 * @param {string[]} known
 */
export function didYouMean(word, known) {
  const near = known.filter((other) => distance(word, other) <= Math.max(1, word.length / 3))
  const [nearest] = near.sort((a, b) => distance(word, a) - distance(word, b))
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`
}

function parsed(args, options, usage) {
  const types = { help: { type: 'boolean' } }
  for (const [option, [value]] of Object.entries(options))
    types[option] = { type: value ? 'string' : 'boolean' }
  const { tokens } = parseArgs({
    args,
    options: types,
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const words = tokens.filter(({ kind }) => kind === 'positional').map(({ value }) => value)
  const values = {}
  for (const { name, rawName, value } of tokens.filter(({ kind }) => kind === 'option')) {
    const wrong = (what) => new ArgumentError(`${what}\n\n${usage}`)
    const known = Object.keys(types)
    if (!known.includes(name)) {
      const meant = didYouMean(
        rawName,
        known.map((option) => `--${option}`),
      )
      throw wrong(`There is no option ${rawName}.${meant}`)
    }
    if (types[name].type === 'string' && !value)
      throw wrong(`${rawName} needs ${options[name][0]}.`)
    if (types[name].type === 'boolean' && value) throw wrong(`${rawName} takes no value.`)
    values[name] = value ?? ''
  }
  return { words, values }
}

function usageOf(name) {
  const { takes = [], options = {}, does } = commands[name]
  const isBare = ['start', 'test'].includes(name)
  const optional = Object.entries(options).map(([option, [value]]) => `[${shown(option, value)}]`)
  const given = [...takes, ...optional].join(' ')
  const lines = Object.entries(options).map(
    ([option, [value, text]]) => `  ${shown(option, value).padEnd(20)} ${text}`,
  )
  const first = `Usage: npm ${isBare ? '' : 'run '}${name}${given && ` -- ${given}`}`
  return [first, '', does, ...(lines.length > 0 ? ['', ...lines] : [])].join('\n')
}

function shown(option, value) {
  return value ? `--${option} ${value}` : `--${option}`
}

/** How many letters have to be changed, put in or taken out to make one word the other. */
function distance(one, other) {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1
      next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + same))
    }
    row = next
  }
  return row.at(-1)
}
