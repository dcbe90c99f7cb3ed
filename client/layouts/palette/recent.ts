import { remember, remembered } from '../../storage.ts'

const storageKey = 'recent-commands'
const most = 4

/** What was chosen last, the newest first. */
export function recentCommands(): string[] {
  try {
    return JSON.parse(remembered(storageKey) ?? '[]')
  } catch {
    return []
  }
}

export function rememberCommand(id: string) {
  remember(
    storageKey,
    JSON.stringify([id, ...recentCommands().filter((other) => other !== id)].slice(0, most)),
  )
}
