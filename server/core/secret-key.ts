import { limits } from '#config/limits.ts'
import { link, open, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { newId } from '../platform/ids.ts'
import type { KeyedHash } from '../platform/keyed-hash.ts'
import { newKey, openSecrets, parseKeys, type Secrets } from '../platform/secrets.ts'
import { StartError } from '../platform/start-error.ts'
import { after } from '../platform/time.ts'
import type { Env } from '../running/env.ts'
import type { Store } from '../store/store.ts'

type Place = Pick<Env, 'secretKeys' | 'secretKeyFile'>
type Installation = Store['installation']

/** Names in the table `installation`. The key itself is there only if there is no other place. */
const [kept, fingerprint, former] = ['secret key', 'secret key fingerprint', 'former marks until']

/**
 * Opens what is sealed and signed in this database, and refuses another key than its own. The first
 * server gives the database its key. `signedBefore` is what signed device marks until then.
 */
export async function openOwnSecrets(
  place: Place,
  signedBefore: KeyedHash,
  { store, now }: { store: Store; now: () => Date },
) {
  const { installation } = store
  const known = await installation.find(fingerprint)
  const keys = await findKeys(place, installation, { makes: known === undefined })
  const isUpgraded = known === undefined && (await store.users.areAny())
  // Those of a former version have their codes in plain text.
  if (isUpgraded) await store.keptMails.removeAll()
  const end = isUpgraded ? after(now(), limits.devices.remembered) : now()
  const holdUntil = new Date(await installation.keepOnce(former, () => end.toISOString()))
  const secrets = openSecrets(keys, holdUntil > now() ? signedBefore : undefined)
  // Of servers that start at once with other keys, one is refused.
  const own = known ?? (await installation.keepOnce(fingerprint, () => secrets.fingerprints[0]!))
  if (!secrets.fingerprints.includes(own)) throw new StartError(otherKey(place))
  await belongTo(secrets, installation)
  return secrets
}

/** Gives a restored database the key of this place if it has another. Returns whether it had. */
export async function changeKey(place: Place, { installation }: Store) {
  const known = await installation.find(fingerprint)
  if (known === undefined) return false
  const there = await findKeys(place, installation)
  if (openSecrets(there).fingerprints.includes(known)) return false
  await belongTo(openSecrets(await findKeys(place, installation, { makes: true })), installation)
  return true
}

/** Whether a server has the key that the database belongs to now. */
export async function hasPresentKey({ fingerprints }: Secrets, { installation }: Store) {
  return fingerprints.includes((await installation.find(fingerprint))!)
}

async function belongTo({ fingerprints }: Secrets, installation: Installation) {
  await installation.put(fingerprint, fingerprints[0]!)
  // The key in the database is not needed any more beside one that comes first.
  if (fingerprints.length > 1) await installation.remove(kept)
}

/** The keys of the environment or else of the file, and after them the one in the database. */
async function findKeys(
  { secretKeys, secretKeyFile }: Place,
  installation: Installation,
  { makes = false } = {},
) {
  const found = await installation.find(kept)
  const inDatabase = found === undefined ? [] : parseKeys(found)!
  if (secretKeys) return [...secretKeys, ...inDatabase]
  if (secretKeyFile === undefined)
    return makes ? parseKeys(await installation.keepOnce(kept, newKey))! : inDatabase
  const inFile = await keysIn(secretKeyFile, { makes: makes || found !== undefined })
  return [...inFile, ...inDatabase]
}

/** The keys in a file. Makes one if the file is missing, or else returns none. */
async function keysIn(file: string, { makes }: { makes: boolean }): Promise<Buffer[]> {
  try {
    const keys = parseKeys((await readFile(file, 'utf8')).trim())
    if (keys) return keys
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT') throw new StartError(`The key in ${file} can not be read: ${message}`)
    if (!makes) return []
    await makeKeyFile(file)
    return keysIn(file, { makes: false })
  }
  throw new StartError(`${file} must have at least 32 random bytes, in base64 or hex.`)
}

/** Only this user can read it. If several servers make one at once, the first one's stays. */
async function makeKeyFile(file: string) {
  const fresh = `${file}.${newId()}`
  try {
    await writeFile(fresh, `${newKey()}\n`, { mode: 0o600, flag: 'wx', flush: true })
    await link(fresh, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    await rm(fresh)
    // The database will belong to this key, so the disk must have it before.
    await using folder = await open(dirname(file))
    await folder.sync()
  } catch (error) {
    throw new StartError(`No key can be made in ${file}: ${(error as Error).message}`)
  }
}

function otherKey({ secretKeys, secretKeyFile }: Place) {
  const what = secretKeys
    ? 'SECRET_KEY is not the key of this database'
    : secretKeyFile
      ? `${secretKeyFile} does not have the key of this database`
      : 'This database has a SECRET_KEY, and the environment has none'
  return `${what}: set SECRET_KEY to the one that it had, alone or after a new one and a comma. If it is lost, see "The secret key" in docs/operations.md.`
}
