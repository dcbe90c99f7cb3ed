import { product } from '#config/product.ts'
import { classes } from './classes.ts'

/** A link that writes to support. Draws nothing if the configuration has no address. */
export function SupportAddress({ className }: { className?: string }) {
  if (!product.supportEmail) return null
  return (
    <a
      href={`mailto:${product.supportEmail}`}
      className={classes('rounded-control underline-offset-3 hover:underline', className)}
    >
      {product.supportEmail}
    </a>
  )
}
