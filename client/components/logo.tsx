import { product } from '#config/product.ts'
import { classes } from './classes.ts'

/** The text of client/public/mark.svg; vite.config.ts puts it here. */
declare const MARK: string

/** The mark in the colors of the theme. */
function Mark({ className }: { className?: string }) {
  return (
    <span
      aria-hidden
      className={classes('block shrink-0', className)}
      dangerouslySetInnerHTML={{ __html: MARK }}
    />
  )
}

export function Logo() {
  return (
    <span className="flex items-center gap-2.5 text-[1rem] font-bold tracking-[-0.01em]">
      <Mark className="size-7" />
      {product.name}
    </span>
  )
}
