import type { Factor } from '#contract/entities.ts'
import { Smartphone } from 'lucide-react'
import { Suspense, useId, useRef, useState } from 'react'
import { useCall } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { Unbroken } from '../../components/breakable.tsx'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { textOf } from '../../components/fields.tsx'
import { LiveProblem } from '../../components/message.tsx'
import { TableSkeleton } from '../../components/table.tsx'
import { useFormat } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'
import { later } from '../../platform/later.ts'
import { toast } from '../../platform/toasts.ts'
import { FactorName } from './factor-name.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

// It draws QR codes, which few visits to the profile need.
const AddFactor = later(async () => (await import('./add-factor.tsx')).AddFactor)

type Asked = { what: 'add' | 'renew' } | { what: 'rename' | 'remove'; factor: Factor }

/** The apps whose codes the user signs in with, and the recovery codes for a day without them. */
export function TwoStepSignIn() {
  const t = useT()
  const { data, error, refetch } = useCall('listFactors', {})
  const { emailVerified, claimed } = useSession().user
  const [asked, setAsked] = useState<Asked>()
  /** New codes, which are shown once, when the dialog is closed. Only this screen has them. */
  const [codes, setCodes] = useState<string[]>()
  const made = useRef<string[]>(undefined)
  const list = useRef<HTMLUListElement>(null)
  const noteId = useId()
  if (error?.reason === 'auth/factor-not-offered') return null
  const isOn = (data?.factors.length ?? 0) > 0

  // Waits for the reload that the change has already started.
  const reload = () => refetch({ cancelRefetch: false })

  function keep({ recoveryCodes }: { recoveryCodes?: string[] }) {
    made.current = recoveryCodes
    return reload()
  }

  /** Shows new codes, which nothing may cover, or says what is done. */
  function finish(done: string) {
    setAsked(undefined)
    if (made.current) setCodes(made.current)
    else if (done) {
      toast(done)
      // The pressed button may be gone.
      list.current?.focus({ preventScroll: true })
    }
    made.current = undefined
  }

  function forget() {
    setCodes(undefined)
    list.current?.focus()
  }

  return (
    <Card
      title={t('profile.twoStep.title')}
      flush
      action={
        data && (
          <Button
            onClick={() => setAsked({ what: 'add' })}
            disabled={!claimed}
            aria-describedby={claimed ? undefined : noteId}
          >
            {t('profile.twoStep.add')}
          </Button>
        )
      }
    >
      <div className="px-inset py-3 text-soft">
        <p>{t(isOn ? 'profile.twoStep.on' : 'profile.twoStep.off')}</p>
        {!claimed && (
          <p id={noteId}>{t(emailVerified ? 'errors.claimRequired' : 'errors.emailNotVerified')}</p>
        )}
      </div>
      <LiveProblem
        error={error}
        failed="profile.twoStep.loadFailed"
        retry={refetch}
        className="px-inset pb-4"
      />
      {!data && !error && <TableSkeleton />}
      <ul
        ref={list}
        tabIndex={-1}
        aria-label={t('profile.twoStep.title')}
        className="divide-y divide-line border-line outline-none not-empty:border-t"
      >
        {data?.factors.map((factor) => (
          <FactorRow key={factor.id} factor={factor} onAsk={(what) => setAsked({ what, factor })} />
        ))}
      </ul>
      {codes && <RecoveryCodes codes={codes} onKept={forget} />}
      {data && isOn && !codes && (
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-t border-line px-inset py-3">
          <p className="text-soft">
            {t('profile.twoStep.codesLeft', { left: data.recovery_codes_left })}
          </p>
          <Button onClick={() => setAsked({ what: 'renew' })} className="ms-auto">
            {t('profile.twoStep.renew')}
          </Button>
        </div>
      )}
      {asked?.what === 'add' && (
        <Suspense>
          <AddFactor onAdded={keep} onClose={finish} />
        </Suspense>
      )}
      {asked?.what === 'renew' && (
        <ConfirmDialog
          call="renewRecoveryCodes"
          title={t('profile.twoStep.renewTitle')}
          input={() => ({})}
          submit="profile.twoStep.renew"
          failed="profile.twoStep.renewFailed"
          onDone={async (renewed) => {
            await keep(renewed)
            return ''
          }}
          onClose={finish}
        >
          <p className="text-soft">{t('profile.twoStep.renewText')}</p>
        </ConfirmDialog>
      )}
      {asked?.what === 'rename' && (
        <ConfirmDialog
          call="renameFactor"
          title={t('profile.twoStep.renameTitle')}
          input={(values) => ({
            factorId: asked.factor.id,
            displayName: textOf(values, 'factorName'),
          })}
          submit="profile.twoStep.rename"
          failed="profile.twoStep.renameFailed"
          danger={false}
          onDone={async () => {
            await reload()
            return t('profile.twoStep.renamed')
          }}
          onClose={finish}
        >
          <FactorName name={asked.factor.display_name} />
        </ConfirmDialog>
      )}
      {asked?.what === 'remove' && (
        <ConfirmDialog
          call="removeFactor"
          title={t('profile.twoStep.removeTitle', { name: asked.factor.display_name })}
          input={() => ({ factorId: asked.factor.id })}
          submit="profile.twoStep.remove"
          failed="profile.twoStep.removeFailed"
          onDone={async () => {
            await reload()
            return t('profile.twoStep.removed', { name: asked.factor.display_name })
          }}
          onClose={finish}
        >
          <p className="text-soft">
            {t(
              data?.factors.length === 1
                ? 'profile.twoStep.removeLast'
                : 'profile.twoStep.removeText',
            )}
          </p>
        </ConfirmDialog>
      )}
    </Card>
  )
}

type FactorRowProps = { factor: Factor; onAsk: (what: 'rename' | 'remove') => void }

function FactorRow({ factor, onAsk }: FactorRowProps) {
  const t = useT()
  const format = useFormat()
  const { display_name: name, created, last_used } = factor
  const added = format.date(created)
  const used = last_used === null ? undefined : format.dateTime(last_used)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-inset py-3">
      <div className="flex min-w-0 flex-1 basis-44 items-center gap-3">
        <Smartphone className="size-5 shrink-0 text-soft" />
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
