import { remember, remembered } from '../platform/storage.ts'

const storageKey = 'recent-commands'
const most = 4

/** The ids of recently used commands, the newest first. */
export function recentIds(): string[] {
  try {
    return JSON.parse(remembered(storageKey) ?? '[]')
  } catch {
    return []
  }
}

export function rememberCommand(id: string) {
  const ids = [id, ...recentIds().filter((other) => other !== id)]
  remember(storageKey, JSON.stringify(ids.slice(0, most)))
}
