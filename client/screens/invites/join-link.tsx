import { limits } from '#config/limits.ts'
import { defaultPermission } from '#contract/access.ts'
import type { JoinLink } from '#contract/entities.ts'
import { paths } from '#contract/paths.ts'
import { useState } from 'react'
import { useCall } from '../../api/queries.ts'
import { Button } from '../../components/button.tsx'
import { Badge, Card } from '../../components/card.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { CopyId } from '../../components/copy-id.tsx'
import { SelectField, TextField, textOf } from '../../components/fields.tsx'
import { LiveProblem, Message } from '../../components/message.tsx'
import { PermissionBoxes, useRoles } from '../../components/permission-boxes.tsx'
import { QrCode } from '../../components/qr-code.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useProject } from '../../layouts/use-project.ts'
import { useFormat } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'
import { useSeats } from '../members/seats.tsx'

const day = 24 * 3600
const usualDays = limits.joining.life / (day * 1000)

/** The link of the project by which anybody who has it joins. */
export function JoinLinkCard() {
  const t = useT()
  const { subscriptionId } = useProject()
  const { data, error, refetch } = useCall('getJoinLink', { subscriptionId })
  const [dialog, show] = useState<'make' | 'revoke'>()
  const link = data?.link
  const close = () => show(undefined)

  return (
    <Card title={t('users.joinLink.title')}>
      <div className="grid gap-4">
        <p className="text-soft">{t('users.joinLink.intro')}</p>
        <LiveProblem error={error} failed="users.joinLink.loadFailed" retry={refetch} />
        {!data && !error && <Skeleton className="grid gap-2" bones={['h-9 w-40']} />}
        {link && <Shown link={link} />}
        {data && (
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => show('make')}>
              {t(link ? 'users.joinLink.replace' : 'users.joinLink.make')}
            </Button>
            {link && <Button onClick={() => show('revoke')}>{t('users.joinLink.revoke')}</Button>}
          </div>
        )}
      </div>
      {dialog === 'make' && <Make isNew={!link} onClose={close} />}
      {dialog === 'revoke' && (
        <ConfirmDialog
          call="revokeJoinLink"
          title={t('users.joinLink.revokeTitle')}
          input={() => ({ subscriptionId })}
          submit="users.joinLink.revoke"
          failed="users.joinLink.revokeFailed"
          said={t('users.joinLink.revoked')}
          onClose={close}
        >
          <p className="text-soft">{t('users.joinLink.revokeText')}</p>
        </ConfirmDialog>
      )}
    </Card>
  )
}

function Shown({ link }: { link: JoinLink }) {
  const t = useT()
  const format = useFormat()
  const { as } = useRoles()
  const { free } = useSeats()
  const [now] = useState(() => Date.now() / 1000)
  const { code, permissions, uses_left: left, host_name: name, expires } = link
  const isOver = expires <= now
  const isUsedUp = left === 0
  const url = code && new URL(`${paths.join}?code=${code}`, location.origin).href
  const works = url !== null && !isOver && !isUsedUp
  return (
    <>
      {url === null && <Message tone="warn">{t('users.joinLink.lost')}</Message>}
      {free === 0 && <Message tone="warn">{t('users.joinLink.full')}</Message>}
      {works && (
        <CopyId
          id={url}
          label={t('users.link.copy')}
          className="justify-between rounded-notice bg-tint px-4 py-3"
        />
      )}
      <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
        {works && (
          <QrCode text={url} label={t('users.joinLink.qr')} className="border border-line" />
        )}
        <div className="text-small text-soft tabular-nums wrap-anywhere">
          <p>{t('users.joinLink.as', { role: as(permissions) })}</p>
          {left === null && <p>{t('users.joinLink.any')}</p>}
          {left !== null && left > 0 && <p>{t('users.joinLink.left', { count: left })}</p>}
          <p>{t('tokens.until', { time: format.dateTime(expires) })}</p>
          <p>{t('tokens.madeBy', { name })}</p>
          {(isOver || isUsedUp) && (
            <p className="mt-2">
              <Badge tone="warn">{t(isOver ? 'tokens.expired' : 'users.joinLink.usedUp')}</Badge>
            </p>
          )}
        </div>
      </div>
    </>
  )
}

function Make({ isNew, onClose }: { isNew: boolean; onClose: () => void }) {
  const t = useT()
  const { subscriptionId } = useProject()
  const [permissions, setPermissions] = useState([defaultPermission])
  return (
    <ConfirmDialog
      call="createJoinLink"
      title={t(isNew ? 'users.joinLink.make' : 'users.joinLink.replaceTitle')}
      input={(values) => ({
        subscriptionId,
        permissions,
        uses: Number(textOf(values, 'uses')) || undefined,
        expires: Math.floor(Date.now() / 1000) + Number(textOf(values, 'days')) * day,
      })}
      submit={isNew ? 'users.joinLink.make' : 'users.joinLink.replace'}
      failed="users.joinLink.failed"
      danger={false}
      said={t('users.joinLink.made')}
      onClose={onClose}
    >
      {!isNew && <p className="text-soft">{t('users.joinLink.replaceText')}</p>}
      <PermissionBoxes chosen={permissions} onChoose={setPermissions} withoutAdmin />
      <TextField
        name="uses"
        label="users.joinLink.uses"
        hint="users.joinLink.usesHint"
        type="number"
        inputMode="numeric"
        min={1}
        max={limits.joining.uses}
        autoComplete="off"
      />
      <SelectField name="days" label="tokens.life" defaultValue={usualDays} required>
        {[1, 7, usualDays, 30, 365].map((count) => (
          <option key={count} value={count}>
            {t('tokens.days', { count })}
          </option>
        ))}
      </SelectField>
    </ConfirmDialog>
  )
}
