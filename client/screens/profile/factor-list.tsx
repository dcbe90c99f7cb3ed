import type { Factor } from '#contract/entities.ts'
import { KeyRound, Smartphone } from 'lucide-react'
import { useId, useState, type ReactNode, type RefObject } from 'react'
import { awaitReload, useCall } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { Unbroken } from '../../components/breakable.tsx'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { textOf, TextField } from '../../components/fields.tsx'
import { FoldedList } from '../../components/folded-list.tsx'
import { useFormat } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'

type FactorCardProps = {
  /** Takes the focus when the pressed button is gone. */
  ref: RefObject<HTMLUListElement | null>
  of: 'twoStep' | 'passkeys'
  /** The oldest first. */
  factors: Factor[] | undefined
  text: string
  /** Missing where none can be added. */
  onAdd: (() => void) | undefined
  isAdding?: boolean
  /** Why none was added. */
  problem?: ReactNode
  /** What removing one means. */
  removeText: string
  children?: ReactNode
}

/** The user's apps that show codes or their passkeys, which they can add, rename and remove. */
export function FactorCard(props: FactorCardProps) {
  const { ref, of, factors, text, onAdd, isAdding = false, problem, removeText, children } = props
  const t = useT()
  const found = useCall('listFactors', {})
  const { emailVerified, claimed } = useSession().user
  const noteId = useId()
  const [asked, setAsked] = useState<{ what: 'rename' | 'remove'; factor: Factor }>()
  const dialog = {
    onDone: () => awaitReload(found.refetch),
    focus: ref,
    onClose: () => setAsked(undefined),
  }

  return (
    <Card
      title={t(`profile.${of}.title`)}
      flush
      action={
        factors &&
        onAdd && (
          <Button
            onClick={onAdd}
            busy={isAdding}
            disabled={!claimed}
            aria-describedby={claimed ? undefined : noteId}
          >
            {t(`profile.${of}.add`)}
          </Button>
        )
      }
    >
      <div className="px-inset py-3 text-soft">
        <p>{text}</p>
        {!claimed && (
          <p id={noteId}>{t(emailVerified ? 'errors.claimRequired' : 'errors.emailNotVerified')}</p>
        )}
      </div>
      {problem}
      <FoldedList
        ref={ref}
        title={t(`profile.${of}.title`)}
        found={found}
        failed={`profile.${of}.loadFailed`}
        rows={factors?.toReversed()}
      >
        {(factor) => (
          <FactorRow key={factor.id} factor={factor} onAsk={(what) => setAsked({ what, factor })} />
        )}
      </FoldedList>
      {children}
      {asked?.what === 'rename' && (
        <ConfirmDialog
          {...dialog}
          call="renameFactor"
          title={t(`profile.${of}.renameTitle`)}
          input={(values) => ({
            factorId: asked.factor.id,
            displayName: textOf(values, 'factorName'),
          })}
          submit="profile.twoStep.rename"
          failed={`profile.${of}.renameFailed`}
          danger={false}
          said={t(`profile.${of}.renamed`)}
        >
          <FactorName of={of} name={asked.factor.display_name} />
        </ConfirmDialog>
      )}
      {asked?.what === 'remove' && (
        <ConfirmDialog
          {...dialog}
          call="removeFactor"
          title={t(`profile.${of}.removeTitle`, { name: asked.factor.display_name })}
          input={() => ({ factorId: asked.factor.id })}
          submit="profile.twoStep.remove"
          failed={`profile.${of}.removeFailed`}
          said={t('profile.twoStep.removed', { name: asked.factor.display_name })}
        >
          <p className="text-soft">{removeText}</p>
        </ConfirmDialog>
      )}
    </Card>
  )
}

type FactorRowProps = { factor: Factor; onAsk: (what: 'rename' | 'remove') => void }

function FactorRow({ factor, onAsk }: FactorRowProps) {
  const t = useT()
  const format = useFormat()
  const { type, display_name: name, created, last_used, is_synced: isSynced } = factor
  const Icon = type === 'passkey' ? KeyRound : Smartphone
  const added = format.date(created)
  const used = last_used === null ? undefined : format.dateTime(last_used)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-inset py-3">
      <div className="flex min-w-0 flex-1 basis-44 items-center gap-3">
        <Icon className="size-5 shrink-0 text-soft" />
        <div className="min-w-0">
          <p className="font-strong wrap-anywhere">{name}</p>
          <div className="text-small text-soft tabular-nums">
            <p>
              {used ? (
                <Unbroken text={t('profile.twoStep.lastUsed', { time: used })} parts={[used]} />
              ) : (
                t('profile.twoStep.neverUsed')
              )}
            </p>
            <p>
              <Unbroken text={t('profile.twoStep.added', { time: added })} parts={[added]} />
            </p>
            {type === 'passkey' && (
              <p>{t(isSynced ? 'profile.passkeys.synced' : 'profile.passkeys.oneDevice')}</p>
            )}
          </div>
        </div>
      </div>
      <span className="ms-auto flex flex-wrap gap-2">
        <Button
          aria-label={t('profile.twoStep.renameOf', { name })}
          onClick={() => onAsk('rename')}
        >
          {t('profile.twoStep.rename')}
        </Button>
        <Button
          aria-label={t('profile.twoStep.removeOf', { name })}
          onClick={() => onAsk('remove')}
        >
          {t('profile.twoStep.remove')}
        </Button>
      </span>
    </li>
  )
}

type FactorNameProps = { of: 'twoStep' | 'passkeys'; name: string }

/** What the user calls an app that shows codes, or a passkey. */
export function FactorName({ of, name }: FactorNameProps) {
  const label = `profile.${of}.name` as const
  return (
    <TextField
      name="factorName"
      label={label}
      defaultValue={name}
      maxLength={50}
      autoComplete="off"
      required
    />
  )
}
