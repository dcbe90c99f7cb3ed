// npm run build: installs what is missing and builds everything.
// npm run pack -- FOLDER: does that, and makes a folder that needs nothing but Node and PostgreSQL.
// npm run pack:function -- FOLDER: makes the folder of operate/cloud-functions/README.md.
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { begin } from './commands.mjs'
import { build, fail, install, root } from './install.mjs'

const ofServer = ['client', 'server', 'commands']
/** The server loads the words of mails where package.json says that they are. */
const words = globSync(['locales/*.json', 'modules/*/words/*.json'], { cwd: root })
const operations = {
  build: { parts: ofServer },
  pack: {
    parts: ofServer,
    files: [
      ...['start', 'commands', 'run-server', 'env-file', 'install'].map(
        (name) => `scripts/${name}.mjs`,
      ),
      // The only package that is not in the bundles, with its binary for this kind of machine.
      'node_modules/@node-rs',
      ...words,
      'operate/deploy',
      'docs',
      '.env.example',
      'CHANGELOG.md',
      'LICENSE',
    ],
    manifest: manifestOfArtefact,
  },
  'pack:function': {
    parts: ['client', 'function'],
    files: words,
    manifest: () => readJson('operate/cloud-functions/package.json'),
  },
}

const [name, ...args] = process.argv.slice(2)
const [folder] = begin(name, args).words
const { parts, files, manifest } = operations[name]
if (files && existsSync(folder) && readdirSync(folder).length > 0) fail(`${folder} is not empty.`)
install()
build(parts)
if (files) pack(resolve(folder))

function pack(to) {
  mkdirSync(to, { recursive: true })
  for (const file of [...parts.map((part) => `dist/${part}`), ...files])
    cpSync(join(root, file), join(to, file), { recursive: true })
  writeFileSync(join(to, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
  console.log(`Packed into ${to}`)
}

/** Has the commands that work without sources. */
function manifestOfArtefact() {
  const { name, version, license, type, imports, engines, scripts, dependencies } =
    readJson('package.json')
  return {
    name,
    version,
    private: true,
    license,
    type,
    imports: {
      '#locales/*.json': imports['#locales/*.json'].default,
      '#modules/*': imports['#modules/*'],
    },
    engines,
    scripts: Object.fromEntries(
      Object.entries(scripts).filter(([, script]) => script.startsWith('exec node scripts/start')),
    ),
    dependencies: { '@node-rs/argon2': dependencies['@node-rs/argon2'] },
  }
}

function readJson(file) {
  return JSON.parse(readFileSync(join(root, file), 'utf8'))
}
