// Part of npm run check: names the packages in package-lock.json that npm would install unchecked.
// npm leaves out hashes of packages for other platforms when it makes the lockfile from node_modules.
import { readFileSync } from 'node:fs'

type Entry = {
  version?: string
  integrity?: string
  resolved?: string
  link?: boolean
  inBundle?: boolean
}

const file = new URL('../package-lock.json', import.meta.url)
export const { packages } = JSON.parse(readFileSync(file, 'utf8')) as {
  packages: Record<string, Entry>
}

/** The paths of packages without a strong hash, or from elsewhere than the registry in use. */
export function withoutHash(entries: Record<string, Entry>) {
  return Object.entries(entries)
    .filter(([path, { link, inBundle }]) => path.includes('node_modules/') && !link && !inBundle)
    .filter(([, { integrity, resolved }]) => !integrity?.startsWith('sha512-') || resolved)
    .map(([path]) => path)
}

if (import.meta.main) {
  const wrong = withoutHash(packages)
  for (const path of wrong) console.log(`${path} has no hash, or names a place`)
  const count = Object.keys(packages).length
  console.log(`lockfile: ${wrong.length || 'none'} of ${count} packages without a hash`)
  if (wrong.length > 0) process.exit(1)
}
