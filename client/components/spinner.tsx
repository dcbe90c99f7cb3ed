import { useT } from '../platform/i18n.ts'
import { classes } from './classes.ts'

/** A spinner that appears after 150 ms, so that it doesn't flicker before a quick answer. */
export function Spinner({ className }: { className?: string }) {
  const t = useT()
  return (
    <output
      className={classes('inline-grid animate-late place-items-center text-accent', className)}
    >
      <Turning className="size-6" />
      <span className="sr-only">{t('common.loading')}</span>
    </output>
  )
}

export function FullScreenSpinner() {
  return (
    <div className="grid min-h-dvh place-items-center">
      <Spinner />
    </div>
  )
}

/** Says that something still loads: theme.css shows it after four seconds of any loading state. */
export function StillLoading() {
  const t = useT()
  return (
    <output className="still-loading">
      <span>{t('common.stillLoading')}</span>
    </output>
  )
}

/** The picture of the spinner, without text, for places that have their own text. */
export function Turning({ className }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.5"
      aria-hidden
      className={classes('animate-turn', className)}
    >
      <circle cx="12" cy="12" r="9" opacity=".2" />
      <path d="M21 12a9 9 0 0 0-9-9" strokeLinecap="round" />
    </svg>
  )
}
