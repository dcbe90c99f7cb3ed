import type { Invite } from '#contract/entities.ts'
import { useState } from 'react'
import { useCall } from '../../api/queries.tsx'
import { Avatar } from '../../components/avatar.tsx'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { LiveProblem } from '../../components/problem.tsx'
import { useT } from '../../i18n.ts'
import { toast } from '../../toasts.ts'
import { RevokeInvite } from '../members/revoke-invite.tsx'

/** Invitations that the user can revoke only here. Draws nothing while there are none. */
export function SentInvitations() {
  const t = useT()
  const { data, error, refetch } = useCall('listSentInvites', {})
  const [revoking, setRevoking] = useState<Invite>()
  const sent = data?.invites ?? []

  /** The focused button may be gone with its row. */
  function end(done: string) {
    setRevoking(undefined)
    if (done) toast(done)
    if (done || document.activeElement === document.body)
      document.getElementById('main')?.focus({ preventScroll: true })
  }

  return (
    <>
      <LiveProblem error={data ? null : error} failed="invites.sentFailed" retry={refetch} />
      {sent.length > 0 && (
        <Card title={t('invites.sent')} flush>
          <p className="px-4 py-3 text-soft sm:px-5">{t('invites.sentIntro')}</p>
          <ul className="divide-y divide-line border-t border-line">
            {sent.map((invite) => (
              <li
                key={invite.id}
                className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-4 sm:px-5"
              >
                <div className="flex max-w-full min-w-0 items-center gap-3">
                  <Avatar name={invite.email} />
                  <div className="min-w-0">
                    <p className="truncate font-semibold" title={invite.email}>
                      {invite.email}
                    </p>
                    <p className="text-small text-soft wrap-anywhere">
                      {invite.subscription_name || t('common.untitledProject')}
                    </p>
                  </div>
                </div>
                <Button onClick={() => setRevoking(invite)}>
                  {t('users.revoke.action')}
                  <span className="sr-only">{invite.email}</span>
                </Button>
              </li>
            ))}
          </ul>
        </Card>
      )}
      {revoking && (
        <RevokeInvite
          subscriptionId={revoking.subscription_id}
          inviteId={revoking.id}
          email={revoking.email}
          name={revoking.email}
          onClose={end}
        />
      )}
    </>
  )
}
