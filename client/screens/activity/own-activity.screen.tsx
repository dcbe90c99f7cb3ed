import { ActivityPage } from './activity-page.tsx'

export function OwnActivity() {
  return <ActivityPage />
}
