import { classes } from './classes.ts'

type Mark = {
  /** The colour of a field as large as the mark. */
  field: string
  /** The paths of the shapes on it, by colour. */
  shapes?: Record<string, string>
  /** Letters, drawn as lines: white ones if they have no colour. */
  lines?: { path: string; width: number; color?: string }
}

const bar = 'h3.4a2 2 0 012 2v12a2 2 0 01-2 2h-3.4a2 2 0 01-2-2v-12a2 2 0 012-2z'

/** Simple marks by the payment provider's names of the brands, in the brands' colours. */
const marks: Record<string, Mark> = {
  visa: {
    field: '#20419a',
    lines: {
      path: 'M6.5 8l2.7 8 2.7-8M15 8v8M22 9.2C20.6 7 17.9 8 18.4 10.2c.4 1.9 3.6 1.4 3.8 3.6.2 2.4-2.9 3-4.4.9M24.6 16l2.8-8 2.8 8M25.6 13.4h3.6',
      width: 1.9,
    },
  },
  mastercard: {
    field: '#fff',
    shapes: {
      '#e4372f': 'M7 12a7 7 0 1014 0 7 7 0 10-14 0z',
      '#f5a623': 'M15 12a7 7 0 1014 0 7 7 0 10-14 0z',
      '#f0702a': 'M18 6.3a7 7 0 010 11.4 7 7 0 010-11.4z',
    },
  },
  amex: {
    field: '#2671b9',
    lines: {
      path: 'M4.5 16l2.6-8 2.6 8M5.4 13.3h3.4M12.4 16V8l2.9 4.4L18.2 8v8M24.6 8h-3.8v8h3.8M20.8 12h3.2M27.2 8l4.6 8M31.8 8l-4.6 8',
      width: 1.7,
    },
  },
  discover: {
    field: '#fff',
    shapes: {
      '#ee7d2b':
        'M36 14v6a4 4 0 01-4 4H14c9-1 17-4.5 22-10zM18 10.5a4.5 4.5 0 109 0 4.5 4.5 0 10-9 0z',
    },
    lines: { path: 'M10 6.5h2.5a4 4 0 010 8H10z', width: 2, color: '#2b2f36' },
  },
  diners: {
    field: '#fff',
    shapes: {
      '#2a62a8': 'M10 12a8 8 0 1016 0 8 8 0 10-16 0z',
      '#fff': 'M16.6 6.4a5.8 5.8 0 000 11.2zM19.4 6.4a5.8 5.8 0 010 11.2z',
    },
  },
  jcb: {
    field: '#fff',
    shapes: { '#2563b0': `M7 4${bar}`, '#cc2f3f': `M16.3 4${bar}`, '#2f8f46': `M25.6 4${bar}` },
    lines: {
      path: 'M10.2 9v4.6a1.7 1.7 0 01-3.3.4M20.3 9.8a2.6 2.6 0 100 4.4M26.2 9v6h1.7a1.5 1.5 0 000-3h-1.7 1.4a1.5 1.5 0 000-3z',
      width: 1.3,
    },
  },
  unionpay: {
    field: '#fff',
    shapes: {
      '#d3303a': 'M9 4h8l-3.6 16h-8z',
      '#1f4f8f': 'M17 4h7l-3.6 16h-7z',
      '#12807f': 'M24 4h7l-3.6 16h-7z',
    },
  },
}

const neutral: Mark = {
  field: 'none',
  lines: { path: 'M1 9h34M6 16h6', width: 1.6, color: 'currentColor' },
}

type CardMarkProps = { brand: string | undefined; className?: string }

/** The mark of a card's brand. Screen readers skip it, because the brand's name is beside it. */
export function CardMark({ brand = '', className = 'w-8' }: CardMarkProps) {
  const { field, shapes = {}, lines } = marks[brand] ?? neutral
  return (
    <svg
      aria-hidden
      viewBox="0 0 36 24"
      className={classes('inline-block shrink-0 text-faint', className)}
    >
      <rect width="36" height="24" rx="4" fill={field} />
      {Object.entries(shapes).map(([fill, path]) => (
        <path key={fill} d={path} fill={fill} />
      ))}
      {lines && (
        <path
          d={lines.path}
          fill="none"
          stroke={lines.color ?? '#fff'}
          strokeWidth={lines.width}
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      )}
      <rect
        x=".5"
        y=".5"
        width="35"
        height="23"
        rx="3.5"
        fill="none"
        stroke="currentColor"
        strokeOpacity={brand in marks ? 0.35 : 1}
      />
    </svg>
  )
}
