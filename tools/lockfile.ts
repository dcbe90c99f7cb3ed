// Part of npm run check: names the packages in package-lock.json that npm would install unchecked.
// npm leaves out hashes of packages for other platforms when it makes the lockfile from node_modules.
import lockfile from '../package-lock.json' with { type: 'json' }

type Entry = { integrity?: string; resolved?: string; link?: boolean; inBundle?: boolean }

/** The paths of packages without a strong hash, or from elsewhere than the registry in use. */
export function withoutHash(packages: Record<string, Entry>) {
  return Object.entries(packages)
    .filter(([path, { link, inBundle }]) => path.includes('node_modules/') && !link && !inBundle)
    .filter(([, { integrity, resolved }]) => !integrity?.startsWith('sha512-') || resolved)
    .map(([path]) => path)
}

if (import.meta.main) {
  const wrong = withoutHash(lockfile.packages)
  for (const path of wrong) console.log(`${path} has no hash, or names a place`)
  const count = Object.keys(lockfile.packages).length
  console.log(`lockfile: ${wrong.length || 'none'} of ${count} packages without a hash`)
  if (wrong.length > 0) process.exit(1)
}
