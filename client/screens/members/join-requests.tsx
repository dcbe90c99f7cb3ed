import { limits } from '#config/limits.ts'
import { defaultPermission } from '#contract/access.ts'
import type { JoinRequest } from '#contract/entities.ts'
import { useState } from 'react'
import { useCall } from '../../api/queries.ts'
import { Ago } from '../../components/ago.tsx'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { LiveProblem } from '../../components/message.tsx'
import { PermissionBoxes } from '../../components/permission-boxes.tsx'
import { useProject } from '../../layouts/use-project.ts'
import { useT } from '../../platform/i18n.ts'
import { PersonCell } from './person-cell.tsx'

const daysDeclined = limits.joining.declined / 86_400_000

/** Who asks to join, for administrators. Draws nothing if nobody does. */
export function JoinRequests() {
  const t = useT()
  const { subscriptionId } = useProject()
  const { data, error, refetch } = useCall('listJoinRequests', { subscriptionId })
  const [asked, ask] = useState<Asked>()
  const requests = data?.requests ?? []

  return (
    <>
      {!data && <LiveProblem error={error} failed="users.requests.loadFailed" retry={refetch} />}
      {requests.length > 0 && (
        <Card title={t('users.requests.title')} flush>
          <ul aria-label={t('users.requests.title')} className="divide-y divide-line">
            {requests.map((request) => (
              <li
                key={request.id}
                className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2 px-inset py-3"
              >
                <div className="min-w-0 flex-1 basis-60">
                  <PersonCell id={request.id} name={request.name} email={request.email} />
                </div>
                <div className="flex flex-wrap items-center justify-end gap-2">
                  <Ago at={request.created} className="pe-2 text-small text-soft" />
                  {(['decline', 'accept'] as const).map((answer) => (
                    <Button
                      key={answer}
                      onClick={() => ask({ request, of: answer })}
                      aria-label={t(`users.requests.${answer}Of`, { name: request.name })}
                    >
                      {t(`users.requests.${answer}`)}
                    </Button>
                  ))}
                </div>
              </li>
            ))}
          </ul>
        </Card>
      )}
      {asked && <Answer {...asked} onClose={() => ask(undefined)} />}
    </>
  )
}

type Asked = { request: JoinRequest; of: 'accept' | 'decline' }

function Answer({ request: { id, name }, of, onClose }: Asked & { onClose: () => void }) {
  const t = useT()
  const [permissions, setPermissions] = useState([defaultPermission])
  const accepts = of === 'accept'
  const done = accepts ? 'accepted' : 'declined'
  return (
    <ConfirmDialog
      call="decideJoinRequest"
      title={t(`users.requests.${of}Title`, { name })}
      input={() => ({ requestId: id, permissions: accepts ? permissions : null })}
      submit={`users.requests.${of}`}
      failed="users.requests.failed"
      danger={!accepts}
      said={t(`users.requests.${done}`, { name })}
      onClose={onClose}
    >
      {accepts ? (
        <PermissionBoxes chosen={permissions} onChoose={setPermissions} />
      ) : (
        <p className="text-soft">{t('users.requests.declineText', { count: daysDeclined })}</p>
      )}
    </ConfirmDialog>
  )
}
