import type { Factor } from '#contract/entities.ts'
import { KeyRound, Smartphone } from 'lucide-react'
import { useState, type RefObject } from 'react'
import { Unbroken } from '../../components/breakable.tsx'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { textOf, TextField } from '../../components/fields.tsx'
import { useFormat } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'

type FactorListProps = {
  /** Takes the focus when the pressed button is gone. */
  ref: RefObject<HTMLUListElement | null>
  of: 'twoStep' | 'passkeys'
  factors: Factor[]
  /** What removing one means. */
  removeText: string
  reload: () => Promise<unknown>
}

/** The user's apps that show codes or their passkeys, which they can rename and remove. */
export function FactorList({ ref, of, factors, removeText, reload }: FactorListProps) {
  const t = useT()
  const [asked, setAsked] = useState<{ what: 'rename' | 'remove'; factor: Factor }>()
  const dialog = { onDone: reload, focus: ref, onClose: () => setAsked(undefined) }

  return (
    <>
      <ul
        ref={ref}
        tabIndex={-1}
        aria-label={t(`profile.${of}.title`)}
        className="divide-y divide-line border-line outline-none not-empty:border-t"
      >
        {factors.map((factor) => (
          <FactorRow key={factor.id} factor={factor} onAsk={(what) => setAsked({ what, factor })} />
        ))}
      </ul>
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
    </>
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
