import type { ReactNode } from 'react'
import { classes } from './classes.ts'

const tones = {
  good: 'bg-good-soft text-good',
  bad: 'bg-bad-soft text-bad',
  warn: 'bg-warn-soft text-warn',
  neutral: 'bg-sunken text-soft',
}

type MessageProps = {
  tone: keyof typeof tones
  title?: ReactNode
  action?: ReactNode
  children?: ReactNode
}

/** Messages that come and go belong into a `LiveRegion`, so that they are read out. */
export function Message({ tone, title, action, children }: MessageProps) {
  return (
    <div
      className={classes(
        'flex animate-appear flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-notice px-4 py-3 forced-colors:border',
        tones[tone],
      )}
    >
      <div className="min-w-0 flex-1 basis-60 wrap-anywhere">
        {title && <p className="font-semibold">{title}</p>}
        {children && <p className={title ? 'text-small' : 'font-medium'}>{children}</p>}
      </div>
      {action}
    </div>
  )
}

/** Stays in the page when it is empty, so that screen readers announce what appears in it. */
export function LiveRegion({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <div aria-live="polite" className={classes('empty:sr-only', className)}>
      {children}
    </div>
  )
}
