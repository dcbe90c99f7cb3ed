import { useEffect } from 'react'
import { recentIds, rememberId } from '../platform/recent.ts'

const most = 6
const keyOf = (uid: string) => `recent-projects:${uid}`

/** The ids of the projects that the user opened last in this browser, the latest first. */
export function recentProjects(uid: string) {
  return recentIds(keyOf(uid))
}

export function useRememberProject(uid: string, id: string | undefined) {
  useEffect(() => {
    if (id !== undefined) rememberId(keyOf(uid), id, most)
  }, [uid, id])
}
