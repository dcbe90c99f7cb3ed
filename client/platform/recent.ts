import { remember, remembered } from './storage.ts'

/** The ids that were used last in this browser, the latest first. */
export function recentIds(key: string): string[] {
  try {
    const ids: unknown = JSON.parse(remembered(key) ?? '[]')
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}

export function rememberId(key: string, id: string, most: number) {
  const ids = [id, ...recentIds(key).filter((other) => other !== id)]
  remember(key, JSON.stringify(ids.slice(0, most)))
}
