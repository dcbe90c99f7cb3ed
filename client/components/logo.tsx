import { product } from '#config/product.ts'
import { classes } from './classes.ts'

export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden className={classes('shrink-0', className)}>
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <path
        d="M8 25V16a8 8 0 0 1 16 0v9M13 25v-8.5a3 3 0 0 1 6 0V25"
        className="fill-none stroke-on-accent"
        strokeWidth="2.6"
        strokeLinecap="round"
      />
    </svg>
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
