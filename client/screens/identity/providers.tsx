import { Suspense } from 'react'
import { enterFromPopup } from '../../api/session.ts'
import { finishSignOut } from '../../api/sign-out.ts'
import { usePopup } from '../../api/use-popup.ts'
import { Button } from '../../components/button.tsx'
import { classes } from '../../components/classes.ts'
import { LiveRegion, Message, Problem } from '../../components/message.tsx'
import { useLanguage, useT } from '../../platform/i18n.ts'
import { later } from '../../platform/later.ts'
import { runtime } from '../../platform/runtime.ts'

const providers = runtime.signInProviders
// Products without such providers need no marks, so they are not part of the page's first chunk.
const ProviderMark = later(async () => {
  const marks = await import('./provider-marks.tsx').catch(() => undefined)
  return marks?.ProviderMark ?? Nothing
})
const Nothing = () => null

export function ProviderButtons() {
  const t = useT()
  const language = useLanguage()
  const popup = usePopup()
  if (providers.length === 0) return null
  const many = providers.length > 2

  async function findWindow(name: string) {
    await finishSignOut()
    return `/auth/provider/${name}?lang=${language}`
  }

  return (
    <>
      <Or />
      <div className={classes('grid gap-3', many && 'sm:grid-cols-2')}>
        {providers.map(({ name, label }) => (
          <Button
            key={name}
            size="large"
            icon={<ProviderIcon name={name} />}
            aria-label={t('auth.continueWith', { provider: label })}
            onClick={() =>
              void popup.open({ where: () => findWindow(name), onDone: enterFromPopup })
            }
          >
            {many ? label : t('auth.continueWith', { provider: label })}
          </Button>
        ))}
      </div>
      <PopupState popup={popup} />
    </>
  )
}

/** Stands between two ways to sign in. */
export function Or() {
  const t = useT()
  return (
    <p className="flex items-center gap-3 text-small text-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      {t('auth.or')}
    </p>
  )
}

type PopupStateProps = { popup: ReturnType<typeof usePopup>; className?: string }

export function PopupState({ popup, className }: PopupStateProps) {
  const t = useT()
  return (
    <LiveRegion className={className}>
      {popup.busy && <Message tone="neutral">{t('auth.inPopup')}</Message>}
      <Problem error={popup.error} />
    </LiveRegion>
  )
}

/** The logo of a sign-in provider. Its place is kept until it is loaded. */
export function ProviderIcon({ name }: { name: string }) {
  return (
    <Suspense fallback={<span className="size-4 shrink-0" />}>
      <ProviderMark name={name} />
    </Suspense>
  )
}
