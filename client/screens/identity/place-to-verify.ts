import { paths } from '#contract/paths.ts'
import { remember, remembered } from '../../platform/storage.ts'

const key = 'placeToVerify'

/** Remembers where a user waits for a verified address. The mailed link opens in another tab. */
export function rememberPlace(uid: string, path: string) {
  remember(key, JSON.stringify({ uid, path }))
}

/** Where the user waited, or the dashboard. */
export function placeOf(uid: string): string {
  try {
    const place = JSON.parse(remembered(key) ?? '{}')
    return place.uid === uid && typeof place.path === 'string' ? place.path : paths.dashboard
  } catch {
    return paths.dashboard
  }
}
