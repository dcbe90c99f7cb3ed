// npm run build: installs what is missing and builds everything.
// npm run pack -- FOLDER: does that, and makes a folder that needs nothing but Node and PostgreSQL.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build, fail, install, root } from './install.mjs'

const [operation, folder] = process.argv.slice(2)
if (operation === 'pack') {
  if (!folder) fail('Usage: npm run pack -- FOLDER')
  if (existsSync(folder) && readdirSync(folder).length > 0) fail(`${folder} is not empty.`)
}
install()
build(['client', 'server', 'commands'])
if (operation === 'pack') pack(resolve(folder))

function pack(to) {
  const files = [
    ...['client', 'server', 'commands'].map((part) => `dist/${part}`),
    ...['start', 'run-server', 'env-file', 'install'].map((name) => `scripts/${name}.mjs`),
    // The only package that is not in the bundles, with its binary for this kind of machine.
    'node_modules/@node-rs',
    'deploy',
    'docs',
    '.env.example',
    'CHANGELOG.md',
    'LICENSE',
  ]
  mkdirSync(to, { recursive: true })
  for (const file of files) cpSync(join(root, file), join(to, file), { recursive: true })
  writeFileSync(join(to, 'package.json'), `${JSON.stringify(packageOfArtefact(), null, 2)}\n`)
  console.log(`Packed into ${to}. Start it there with: npm start`)
}

/** Without what only a clone can do. */
function packageOfArtefact() {
  const { name, version, license, type, engines, scripts, dependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  )
  return {
    name,
    version,
    private: true,
    license,
    type,
    engines,
    scripts: Object.fromEntries(
      Object.entries(scripts).filter(([, script]) => script.startsWith('exec node scripts/start')),
    ),
    dependencies: { '@node-rs/argon2': dependencies['@node-rs/argon2'] },
  }
}
