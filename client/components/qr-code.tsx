import { generate } from 'lean-qr'
import { toSvgPath } from 'lean-qr/extras/svg'
import { classes } from './classes.ts'

/** The modules around a QR code that stay light, so that cameras find it. */
const quiet = 4

type QrCodeProps = { text: string; label: string; className?: string }

export function QrCode({ text, label, className }: QrCodeProps) {
  const code = generate(text)
  const side = code.size + 2 * quiet
  return (
    // Dark on white in both themes: few cameras read the reverse.
    <svg
      role="img"
      aria-label={label}
      viewBox={`${-quiet} ${-quiet} ${side} ${side}`}
      shapeRendering="crispEdges"
      className={classes('w-full max-w-52 rounded-control', className)}
    >
      <rect x={-quiet} y={-quiet} width={side} height={side} fill="#fff" />
      <path d={toSvgPath(code)} fill="#000" />
    </svg>
  )
}
