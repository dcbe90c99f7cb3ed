import type { ReactNode } from 'react'
import { useT } from '../platform/i18n.ts'
import { classes } from './classes.ts'

/** A grey bar in place of a line of text or a picture that is loading. */
export function Bone({ className }: { className?: string }) {
  return (
    <span
      className={classes('block rounded-control bg-line forced-colors:bg-[GrayText]', className)}
    />
  )
}

/** Grey bars in place of fields and their labels. */
export function FieldBones({ count }: { count: number }) {
  return Array.from({ length: count }, (_, place) => (
    <span key={place} className="block">
      <Bone className="mt-1 mb-2.5 h-3 w-28" />
      <Bone className="h-10" />
    </span>
  ))
}

type SkeletonProps = { className?: string; bones?: string[]; children?: ReactNode }

/** Grey bars in the shape of what is loading, by class names in `bones`, after 150 ms. */
export function Skeleton({ className, bones = [], children }: SkeletonProps) {
  const t = useT()
  return (
    <div className={classes('animate-late', className)}>
      <output className="sr-only">{t('common.loading')}</output>
      <div aria-hidden className="contents">
        {bones.map((bone) => (
          <Bone key={bone} className={bone} />
        ))}
        {children}
      </div>
    </div>
  )
}
