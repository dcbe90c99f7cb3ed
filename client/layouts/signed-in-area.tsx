import { useEffect } from 'react'
import { Outlet } from 'react-router'
import { LiveUpdates } from '../api/live-updates.tsx'
import { followRecord } from '../api/own-language.ts'
import { QueryProvider, useCall } from '../api/queries.tsx'
import { useSession } from '../api/use-session.tsx'
import { Reauthentication } from '../screens/identity/reauthentication.tsx'

/** What one person read is not for the next. */
export function SignedInArea() {
  const { user } = useSession()
  return (
    <QueryProvider key={user.uid}>
      <LiveUpdates />
      <OwnLanguage />
      <Outlet />
      <Reauthentication />
    </QueryProvider>
  )
}

function OwnLanguage() {
  const kept = useCall('getUser', {}).data?.user.language
  useEffect(() => {
    if (kept !== undefined) void followRecord(kept)
  }, [kept])
  return null
}
