import type { CallOutput } from '#contract/calls.ts'
import { useRef, useState } from 'react'
import { CallForm } from '../../components/call-form.tsx'
import { CopyId } from '../../components/copy-id.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { textOf } from '../../components/fields.tsx'
import { QrCode } from '../../components/qr-code.tsx'
import { CodeField } from '../../components/second-step-fields.tsx'
import { useT } from '../../platform/i18n.ts'
import { FactorName } from './factor-list.tsx'

type AddFactorProps = {
  /** Runs before the dialog closes. */
  onAdded: (added: CallOutput<'finishFactorEnrollment'>) => unknown
  /** Gets the text to say, which is empty if the user gives up. */
  onClose: (done: string) => void
}

/** Asks for a name, then shows the key of a new app until the app's first code proves it. */
export function AddFactor({ onAdded, onClose }: AddFactorProps) {
  const t = useT()
  const [started, setStarted] = useState<CallOutput<'startFactorEnrollment'>>()
  const dialog = useRef<HTMLDialogElement>(null)
  const cancel = () => dialog.current?.close()

  async function finish(added: CallOutput<'finishFactorEnrollment'>) {
    await onAdded(added)
    const done = t('profile.twoStep.done', { name: added.factor.display_name })
    // The user may have closed the dialog during the call.
    if (dialog.current?.open) dialog.current.close(done)
    else onClose(done)
  }

  return (
    <Dialog ref={dialog} title={t('profile.twoStep.addTitle')} onClose={onClose}>
      {started ? (
        <CallForm
          key="code"
          call="finishFactorEnrollment"
          input={(values) => ({
            enrollmentId: started.enrollmentId,
            code: textOf(values, 'code'),
          })}
          submit="profile.twoStep.finish"
          failed="profile.twoStep.addFailed"
          onDone={finish}
          cancel={cancel}
        >
          <Key secret={started.secret!} uri={started.uri!} />
          <CodeField />
        </CallForm>
      ) : (
        <CallForm
          key="name"
          call="startFactorEnrollment"
          input={(values) => ({ type: 'totp', displayName: textOf(values, 'factorName') })}
          submit="profile.twoStep.next"
          failed="profile.twoStep.addFailed"
          onDone={setStarted}
          cancel={cancel}
        >
          <p className="text-soft">{t('profile.twoStep.addText')}</p>
          <FactorName of="twoStep" name={t('profile.twoStep.defaultName')} />
        </CallForm>
      )}
    </Dialog>
  )
}

function Key({ secret, uri }: { secret: string; uri: string }) {
  const t = useT()
  return (
    <div className="grid gap-3">
      <p className="text-soft">{t('profile.twoStep.scan')}</p>
      <QrCode text={uri} label={t('profile.twoStep.qr')} className="mx-auto" />
      <div>
        <p className="text-soft">{t('profile.twoStep.secret')}</p>
        <CopyId
          id={secret}
          shown={secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}
          label={t('profile.twoStep.copySecret')}
        />
      </div>
      <a
        href={uri}
        className="hidden touch-target w-fit rounded-control font-medium text-accent-ink underline-offset-3 hover:underline pointer-coarse:block"
      >
        {t('profile.twoStep.open')}
      </a>
    </div>
  )
}
