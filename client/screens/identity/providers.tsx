import { Building2 } from 'lucide-react'
import { enterFromPopup } from '../../api/session.ts'
import { finishSignOut } from '../../api/sign-out.ts'
import { usePopup } from '../../api/use-popup.ts'
import { Button } from '../../components/button.tsx'
import { classes } from '../../components/classes.ts'
import { LiveRegion, Message, Problem } from '../../components/message.tsx'
import { useLanguage, useT } from '../../platform/i18n.ts'
import { runtime } from '../../platform/runtime.ts'

const providers = runtime.signInProviders

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
      <p className="flex items-center gap-3 text-small text-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t('auth.or')}
      </p>
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

/** The logo of a sign-in provider, or a building if `marks` lacks it, as for a company's own. */
export function ProviderIcon({ name }: { name: string }) {
  const shapes = Object.hasOwn(marks, name) ? marks[name] : undefined
  if (!shapes) return <Building2 />
  return (
    <svg viewBox="0 0 24 24" aria-hidden className="size-4 shrink-0">
      {Object.entries(shapes).map(([fill, path]) => (
        <path key={fill} d={path} fill={fill} />
      ))}
    </svg>
  )
}

/** The SVG paths of each provider's logo, by colour, on a grid of 24. */
const marks: Record<string, Record<string, string>> = {
  google: {
    '#4285f4':
      'M22.56 12.25c0-.78-.07-1.53-.2-2.25H12v4.26h5.92a5.06 5.06 0 0 1-2.2 3.32v2.77h3.57c2.08-1.92 3.28-4.74 3.28-8.1z',
    '#34a853':
      'M12 23c2.97 0 5.46-.98 7.28-2.66l-3.57-2.77c-.98.66-2.23 1.06-3.71 1.06-2.86 0-5.29-1.93-6.16-4.53H2.18v2.84C3.99 20.53 7.7 23 12 23z',
    '#fbbc05': 'M5.84 14.09a6.6 6.6 0 0 1 0-4.18V7.07H2.18a11 11 0 0 0 0 9.86l3.66-2.84z',
    '#ea4335':
      'M12 5.38c1.62 0 3.06.56 4.21 1.64l3.15-3.15C17.45 2.09 14.97 1 12 1 7.7 1 3.99 3.47 2.18 7.07l3.66 2.84c.87-2.6 3.3-4.53 6.16-4.53z',
  },
  microsoft: {
    '#f25022': 'M1 1h10.5v10.5H1z',
    '#7fba00': 'M12.5 1H23v10.5H12.5z',
    '#00a4ef': 'M1 12.5h10.5V23H1z',
    '#ffb900': 'M12.5 12.5H23V23H12.5z',
  },
  facebook: {
    '#0866ff':
      'M24 12.07C24 5.4 18.63 0 12 0S0 5.4 0 12.07c0 6 4.39 10.96 10.13 11.86v-8.39H7.08v-3.47h3.05V9.43c0-3 1.79-4.67 4.53-4.67 1.31 0 2.69.24 2.69.24v2.95h-1.52c-1.49 0-1.96.93-1.96 1.88v2.24h3.33l-.53 3.47h-2.8v8.39C19.61 23.03 24 18.06 24 12.07z',
  },
  apple: {
    currentColor:
      'M12.15 6.9c-.95 0-2.42-1.08-3.96-1.04-2.04.03-3.91 1.18-4.96 3.01-2.12 3.68-.55 9.1 1.52 12.1 1.01 1.45 2.2 3.08 3.79 3.03 1.52-.07 2.09-.99 3.94-.99 1.83 0 2.35.99 3.96.95 1.64-.03 2.67-1.48 3.67-2.95 1.16-1.69 1.64-3.33 1.66-3.42-.04-.01-3.18-1.22-3.22-4.85-.03-3.04 2.48-4.5 2.6-4.56-1.43-2.09-3.62-2.32-4.39-2.38-2-.15-3.68 1.1-4.61 1.1zM15.53 3.83c.84-1.01 1.4-2.43 1.25-3.83-1.21.05-2.67.8-3.54 1.82-.78.9-1.45 2.34-1.27 3.71 1.34.1 2.72-.69 3.56-1.7',
  },
  github: {
    currentColor:
      'M12 .3a12 12 0 0 0-3.8 23.38c.6.12.83-.26.83-.57L9 21.07c-3.34.72-4.04-1.61-4.04-1.61-.55-1.39-1.34-1.76-1.34-1.76-1.08-.74.09-.73.09-.73 1.2.09 1.83 1.24 1.83 1.24 1.08 1.83 2.81 1.3 3.5 1 .1-.78.42-1.31.76-1.61-2.67-.3-5.47-1.33-5.47-5.93 0-1.31.47-2.38 1.24-3.22-.14-.3-.54-1.52.1-3.18 0 0 1-.32 3.3 1.23a11.5 11.5 0 0 1 6.02 0c2.28-1.55 3.29-1.23 3.29-1.23.64 1.66.24 2.88.12 3.18a4.65 4.65 0 0 1 1.23 3.22c0 4.61-2.8 5.63-5.48 5.92.42.36.81 1.1.81 2.22l-.01 3.29c0 .31.2.69.82.57A12 12 0 0 0 12 .3',
  },
  twitter: {
    currentColor:
      'M18.9 1.15h3.68l-8.04 9.19L24 22.85h-7.41l-5.8-7.59-6.63 7.59H.47l8.6-9.83L0 1.15h7.6l5.24 6.94zM17.61 20.64h2.04L6.49 3.24H4.3z',
  },
  yahoo: {
    '#7e1fff':
      'M18.86 1.56 14.27 11.87h5.13L24 1.56zM0 6.71l5.15 11.56-1.85 4.17h4.53l6.86-15.73h-4.5l-2.8 6.73-2.77-6.73zm15.62 6.16a2.73 2.73 0 0 0-2.91 2.71c0 1.42 1.2 2.61 2.79 2.61 1.68 0 2.93-1.23 2.93-2.69 0-1.47-1.2-2.63-2.81-2.63z',
  },
}
