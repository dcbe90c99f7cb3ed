import type { ReactNode } from 'react'
import { classes } from './classes.ts'

const tones = {
  neutral: 'bg-sunken text-soft',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  accent: 'bg-accent-soft text-accent-ink',
}

type BadgeProps = { tone?: keyof typeof tones; dot?: boolean; children: ReactNode }

/** A short label. `dot` marks states that can change. */
export function Badge({ tone = 'neutral', dot = false, children }: BadgeProps) {
  return (
    <span
      className={classes(
        'inline-flex min-h-5.5 shrink-0 items-center gap-1.5 rounded-full px-2 text-label font-strong forced-colors:border',
        tones[tone],
      )}
    >
      {dot && <span className="size-1.5 rounded-full bg-current forced-colors:bg-[CanvasText]" />}
      {children}
    </span>
  )
}
