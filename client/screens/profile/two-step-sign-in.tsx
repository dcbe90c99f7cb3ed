import { product } from '#config/product.ts'
import { slug } from '#contract/slug.ts'
import { Suspense, useId, useRef, useState, useEffect } from 'react'
import { Copy, Download, Printer } from 'lucide-react'
import { awaitReload, useCall } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { useT } from '../../platform/i18n.ts'
import { later } from '../../platform/later.ts'
import { toast } from '../../platform/toasts.ts'
import { FactorCard } from './factor-list.tsx'
import { copyText } from '../../components/copy-id.tsx'
import { saveFile } from '../../platform/save-file.ts'

// It draws QR codes, which few visits to the profile need.
const AddFactor = later(async () => (await import('./add-factor.tsx')).AddFactor)

/** The apps whose codes the user signs in with, and the recovery codes for a day without them. */
export function TwoStepSignIn() {
  const t = useT()
  const { data, error, refetch } = useCall('listFactors', {})
  const [asked, setAsked] = useState<'add' | 'renew'>()
  /** New codes, which are shown once, when the dialog is closed. Only this screen has them. */
  const [codes, setCodes] = useState<string[]>()
  const made = useRef<string[]>(undefined)
  const list = useRef<HTMLUListElement>(null)
  if (error?.reason === 'auth/factor-not-offered') return null
  const apps = data?.factors.filter(({ type }) => type === 'totp')
  const isOn = apps !== undefined && apps.length > 0

  const reload = () => awaitReload(refetch)

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
    <FactorCard
      ref={list}
      of="twoStep"
      factors={apps}
      text={t(isOn ? 'profile.twoStep.on' : 'profile.twoStep.off')}
      onAdd={() => setAsked('add')}
      removeText={t(
        apps?.length === 1 ? 'profile.twoStep.removeLast' : 'profile.twoStep.removeText',
      )}
    >
      {codes && <RecoveryCodes codes={codes} onKept={forget} />}
      {data && isOn && !codes && (
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-t border-line px-inset py-3">
          <p className="text-soft">
            {t('profile.twoStep.codesLeft', { left: data.recovery_codes_left })}
          </p>
          <Button onClick={() => setAsked('renew')} className="ms-auto">
            {t('profile.twoStep.renew')}
          </Button>
        </div>
      )}
      {asked === 'add' && (
        <Suspense>
          <AddFactor onAdded={keep} onClose={finish} />
        </Suspense>
      )}
      {asked === 'renew' && (
        <ConfirmDialog
          call="renewRecoveryCodes"
          title={t('profile.twoStep.renewTitle')}
          input={() => ({})}
          submit="profile.twoStep.renew"
          failed="profile.twoStep.renewFailed"
          onDone={keep}
          onClose={finish}
        >
          <p className="text-soft">{t('profile.twoStep.renewText')}</p>
        </ConfirmDialog>
      )}
    </FactorCard>
  )
}

type RecoveryCodesProps = { codes: string[]; onKept: () => void }

/** New recovery codes, which nobody can see again. */
function RecoveryCodes({ codes, onKept }: RecoveryCodesProps) {
  const t = useT()
  const { email } = useSession().user
  const section = useRef<HTMLElement>(null)
  const id = useId()
  useEffect(() => {
    section.current!.focus({ preventScroll: true })
    section.current!.scrollIntoView({ block: 'nearest' })
  }, [])
  const title = `${product.name}: ${t('profile.twoStep.codes')} (${email})`
  const text = `${[title, '', ...codes].join('\n')}\n`
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-labelledby={id}
      className="print-alone grid gap-3 outline-none border-t border-line px-inset py-4"
    >
      <h3 id={id} className="font-strong">
        {t('profile.twoStep.codes')}
      </h3>
      <p className="hidden wrap-anywhere print:block">
        {product.name} · {email}
      </p>
      <p className="text-soft">{t('profile.twoStep.codesText')}</p>
      <ul className="grid w-fit gap-x-8 gap-y-1 sm:grid-cols-2 print:grid-cols-2 rounded-notice bg-tint px-4 py-3">
        {codes.map((code) => (
          <li key={code} className="id-text">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button icon={<Copy />} onClick={() => void copyText(codes.join('\n'), t('common.copied'))}>
          {t('profile.twoStep.copy')}
        </Button>
        <Button icon={<Printer />} onClick={() => print()}>
          {t('profile.twoStep.print')}
        </Button>
        <Button
          icon={<Download />}
          onClick={() => saveFile(`${slug}-recovery-codes.txt`, text, 'text/plain')}
        >
          {t('profile.twoStep.download')}
        </Button>
        <Button variant="primary" onClick={onKept} className="sm:ms-auto">
          {t('profile.twoStep.kept')}
        </Button>
      </div>
    </section>
  )
}
