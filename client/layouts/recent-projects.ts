import { useEffect } from 'react'
import { remember, remembered } from '../platform/storage.ts'

const most = 6
const keyOf = (uid: string) => `recent-projects:${uid}`

/** The ids of the projects that the user opened last in this browser, the latest first. */
export function recentProjects(uid: string): string[] {
  try {
    const ids: unknown = JSON.parse(remembered(keyOf(uid)) ?? '[]')
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}

export function useRememberProject(uid: string, id: string | undefined) {
  useEffect(() => {
    if (id === undefined) return
    const ids = [id, ...recentProjects(uid).filter((other) => other !== id)]
    remember(keyOf(uid), JSON.stringify(ids.slice(0, most)))
  }, [uid, id])
}
