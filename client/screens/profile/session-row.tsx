import { deviceName, deviceOf } from '#contract/device.ts'
import type { Session } from '#contract/entities.ts'
import { Monitor, Smartphone } from 'lucide-react'
import { useAction } from '../../api/call.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { LiveProblem } from '../../components/problem.tsx'
import { useFormat } from '../../format.ts'
import { useT } from '../../i18n.ts'
import { toast } from '../../toasts.ts'

type SessionRowProps = { session: Session; onEnding: () => void; reload: () => Promise<unknown> }

export function SessionRow({ session, onEnding, reload }: SessionRowProps) {
  const t = useT()
  const format = useFormat()
  const end = useAction('revokeSession', () => void reload())
  const known = deviceName(session.user_agent, t)
  const device = known ?? t('profile.sessions.someDevice')
  const Icon = deviceOf(session.user_agent).isHandheld ? Smartphone : Monitor
  if (end.busy) return null

  async function endIt() {
    onEnding()
    if (await end.run({ sessionId: session.id }, reload))
      toast(t('profile.sessions.ended', { device }))
  }

  return (
    <li className="grid gap-3 px-4 py-3 sm:px-5">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <div className="flex min-w-0 items-center gap-3">
          <Icon aria-hidden className="size-5 shrink-0 text-soft" />
          <div className="min-w-0">
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-strong">
              {known ?? t('profile.sessions.unknown')}
              {session.is_current && <Badge tone="accent">{t('profile.sessions.current')}</Badge>}
            </p>
            <p className="text-small text-soft tabular-nums wrap-anywhere">
              {t('profile.sessions.lastUsed', {
                time: format.dateTime(session.last_used),
                address: session.address,
              })}
            </p>
          </div>
        </div>
        {!session.is_current && (
          <Button onClick={() => void endIt()} aria-label={t('profile.sessions.endOf', { device })}>
            {t('profile.sessions.end')}
          </Button>
        )}
      </div>
      <LiveProblem error={end.error} failed="profile.sessions.endFailed" />
    </li>
  )
}
