import { classes } from './classes.ts'
import { Skeleton } from './skeleton.tsx'

const part = 'absolute inset-y-0 start-0 rounded-full forced-colors:bg-[CanvasText]'

type MeterProps = {
  words: string
  most: number
  used: number
  /** The part of `used` that is certain. The rest is paler. */
  certain?: number
}

/** Shows how much of something is used, as text and as a bar. */
export function Meter({ words, most, used, certain = used }: MeterProps) {
  const percent = (amount: number) => `${Math.min(100, Math.round((amount / most) * 100))}%`
  const color = used < most ? 'bg-accent' : 'bg-warn'
  return (
    <div className="w-full">
      <p className="text-small tabular-nums">{words}</p>
      <div className="relative mt-2 h-1.5 overflow-hidden rounded-full bg-line forced-colors:border">
        <div className={classes(part, color, 'opacity-45')} style={{ width: percent(used) }} />
        <div className={classes(part, color)} style={{ width: percent(certain) }} />
      </div>
    </div>
  )
}

/** Keeps the place of a meter that is not known yet. */
export function MeterSkeleton() {
  return <Skeleton className="grid h-8.5 content-between py-0.5" bones={['h-3.5 w-32', 'h-1.5']} />
}
