// npm run upgrade: merges a later version into a product that was made of this one, and does what
// the files upgrades/<version>/upgrade.json of the versions on the way ask for.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { begin } from '../scripts/commands.mjs'

type Upgrade = {
  /** What to do about each environment variable that is new, or means something else. */
  variables: Record<string, string>
  /** The core's migrations that this version brings. */
  migrations: string[]
  /** Programs beside the file that change code. Each may run twice. */
  codemods: string[]
  /** What somebody has to look at, or to do by hand. */
  look: string[]
}

const root = join(import.meta.dirname, '..')
const { words, values } = begin('upgrade', process.argv.slice(2))
const version = words[0]!
const given = values['from'] ?? 'upstream'
// npm runs this in the folder of package.json.
const folder = resolve(process.env['INIT_CWD'] ?? '.', given)
const place = values['from'] !== undefined && existsSync(folder) ? folder : given

if (!/^\d+\.\d+\.\d+$/.test(version)) end(`“${version}” is no version. Write it like 1.4.0.`)
if (!git('rev-parse', '--show-prefix').isDone)
  end('This folder is no git repository, so nothing can be merged into it.')
if (hasChanges())
  end(
    'There are changes without a commit, perhaps of a merge that stopped at conflicts. Commit them, and run this again.',
  )
// The tag leads to a fix of a former version too, which stands on a branch of its own.
const tag = git('fetch', '--quiet', '--no-tags', place, `refs/tags/v${version}`)
const tagged = tag.isDone ? git('rev-parse', 'FETCH_HEAD^{commit}').output : undefined
const fetched = git('fetch', '--quiet', '--no-tags', place, 'HEAD')
if (!fetched.isDone)
  end(
    `${fetched.error}\nThere is nothing to fetch from ${given}. Add a remote (git remote add upstream ADDRESS), or say --from PLACE.`,
  )
const release =
  tagged ??
  findRelease(version) ??
  end(`${given} has no version ${version}. Its newest is ${versionAt('FETCH_HEAD')}.`)

if (isIn('HEAD')) goOn()
else merge()

/** Merges, and then goes on in the code that the merge has brought. */
function merge(): never {
  if (!git('merge-base', 'HEAD', release).isDone) nameOrigin()
  // Of files that .gitattributes names as drawn, one's own stay.
  const merge = ['-c', 'merge.ours.driver=true', 'merge', '--no-ff']
  const { isDone, error } = git(...merge, '--message', `Take version ${version}`, release)
  const conflicts = git('diff', '--name-only', '--diff-filter=U').lines
  if (!isDone && conflicts.length === 0) end(error)
  if (!isDone)
    end(
      [
        `Version ${version} changes lines that you have changed too. Conflicts: ${conflicts.length}`,
        ...conflicts.map((file) => `  ${file}`),
        'Mend them, and then:',
        '  git commit --all --no-edit',
        `  npm run upgrade -- ${process.argv.slice(2).join(' ')}`,
        'The second line goes on from there. To undo the merge instead: git merge --abort',
      ].join('\n'),
    )
  console.log(`Version ${version} is merged. Conflicts: 0`)
  const from = values['from'] === undefined ? [] : ['--from', place]
  process.exit(npm('upgrade', '--', version, ...from).status ?? 1)
}

/**
 * A product that began as a copy without the history shares no commit with the later version. It
 * was made of the version in its package.json, and a merge that changes nothing says so.
 */
function nameOrigin() {
  const { version: own } = readJson<{ version: string }>('package.json')
  const origin =
    findRelease(own) ??
    end(`This repository shares no commit with ${given}, which has no version ${own} either.`)
  const message = `Say that this was made of version ${own}`
  const merge = ['merge', '--strategy', 'ours', '--allow-unrelated-histories']
  const { isDone, error } = git(...merge, '--message', message, origin)
  if (!isDone) end(error)
}

/** Does what the versions between the former one and this one ask for, and checks the product. */
function goOn(): never {
  const taken = findMerge()
  if (taken === undefined) {
    console.log(`Nothing to take: this is made of version ${version}.`)
    process.exit(0)
  }
  const base = git('merge-base', `${taken}^1`, release).output
  const upgrades = listUpgrades(versionAt(base))
  for (const [name, { codemods }] of upgrades)
    for (const codemod of codemods) {
      const file = join('upgrades', name, codemod)
      const { status } = spawnSync(process.execPath, [file], { cwd: root, stdio: 'inherit' })
      if (status !== 0) end(`${file} has failed. Commit what you mend, and run this again.`)
    }
  if (hasChanges()) {
    npm('format')
    const message = `Change what version ${version} asks for`
    const { isDone, error } = git('commit', '--all', '--message', message)
    if (!isDone) end(error)
  }
  const isFine = npm('check').status === 0
  const variables = upgrades.flatMap(([, upgrade]) => Object.entries(upgrade.variables))
  const migrations = upgrades.flatMap(([, upgrade]) => upgrade.migrations)
  const look = upgrades.flatMap(([, upgrade]) => upgrade.look)
  const drawn = listDrawn(base, taken)
  console.log(
    [
      `\nVersion ${version} is in, after ${versionAt(base)}. What is left:`,
      !isFine && '- npm run check has found what stands above.',
      ...variables.map(([name, text]) => `- Set ${name} on your servers: ${text}`),
      ...look.map((text) => `- ${text}`),
      drawn.length > 0 &&
        `- Pictures that both sides have drawn are still yours. npm run icons and npm run looks draw them again: ${drawn.join(', ')}`,
      migrations.length > 0 &&
        `- The next start, or npm run migrate, applies ${migrations.join(', ')}.`,
      '- npm test, and then docs/deploying.md.',
    ]
      .filter((line) => line !== false)
      .join('\n'),
  )
  process.exit(isFine ? 0 : 1)
}

/** What the versions after `former` ask for, the oldest first. */
function listUpgrades(former: string) {
  return readdirSync(join(root, 'upgrades'))
    .filter((name) => /^\d/.test(name) && isLater(name, former) && !isLater(name, version))
    .toSorted((one, other) => (isLater(one, other) ? 1 : -1))
    .map((name) => [name, readJson<Upgrade>(`upgrades/${name}/upgrade.json`)] as const)
}

/** Drawn files that both sides have changed. The merge has left one's own. */
function listDrawn(base: string, taken: string) {
  const theirs = git('diff', '--name-only', base, release).lines
  const own = new Set(git('diff', '--name-only', base, `${taken}^1`).lines)
  return theirs.filter(
    (file) => own.has(file) && git('check-attr', 'merge', file).output.endsWith(' ours'),
  )
}

/** The commit that gave package.json this version. */
function findRelease(name: string) {
  const line = `-S"version": "${name}"`
  return git('log', '--format=%H', line, 'FETCH_HEAD', '--', 'package.json').lines.at(-1)
}

/** The first merge after which the release is part of the product. */
function findMerge() {
  const since = `${release}..HEAD`
  const first = git('rev-list', '--ancestry-path', '--merges', '--topo-order', since).lines.at(-1)
  return first !== undefined && !isIn(`${first}^1`) ? first : undefined
}

function isIn(commit: string) {
  return git('merge-base', '--is-ancestor', release, commit).isDone
}

/** Whether files that git knows have changed. */
function hasChanges() {
  return git('status', '--porcelain', '--untracked-files=no').output !== ''
}

function versionAt(commit: string) {
  const text = git('show', `${commit}:package.json`).output
  return (JSON.parse(text) as { version: string }).version
}

function isLater(one: string, other: string) {
  return one.localeCompare(other, 'en', { numeric: true }) > 0
}

function readJson<Content>(file: string) {
  return JSON.parse(readFileSync(join(root, file), 'utf8')) as Content
}

function end(message: string): never {
  console.error(message)
  process.exit(1)
}

function git(...args: string[]) {
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const
  const { status, stdout, stderr } = spawnSync('git', args, options)
  const output = stdout.trim()
  const error = `${output}\n${stderr}`.trim()
  return { isDone: status === 0, output, error, lines: output.split('\n').filter(Boolean) }
}

function npm(script: string, ...args: string[]) {
  return spawnSync('npm', ['run', '--silent', script, ...args], { cwd: root, stdio: 'inherit' })
}
