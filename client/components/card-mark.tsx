import type { ReactNode } from 'react'
import { classes } from './classes.ts'

/** A field of a mark's own colour, as large as the mark. */
function field(colour: string) {
  return <rect width="36" height="24" rx="4" fill={colour} />
}

/** White letters, drawn as lines. */
function letters(path: string, width = 1.9) {
  return (
    <path
      d={path}
      fill="none"
      stroke="#fff"
      strokeWidth={width}
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  )
}

const visa =
  'M6.5 8l2.7 8 2.7-8M15 8v8M22 9.2C20.6 7 17.9 8 18.4 10.2c.4 1.9 3.6 1.4 3.8 3.6.2 2.4-2.9 3-4.4.9M24.6 16l2.8-8 2.8 8M25.6 13.4h3.6'
const amex =
  'M4.5 16l2.6-8 2.6 8M5.4 13.3h3.4M12.4 16V8l2.9 4.4L18.2 8v8M24.6 8h-3.8v8h3.8M20.8 12h3.2M27.2 8l4.6 8M31.8 8l-4.6 8'
const jcb =
  'M10.2 9v4.6a1.7 1.7 0 01-3.3.4M20.3 9.8a2.6 2.6 0 100 4.4M26.2 9v6h1.7a1.5 1.5 0 000-3h-1.7 1.4a1.5 1.5 0 000-3z'

/** Simple marks by the payment provider's names of the brands, in the brands' colours. */
const marks: Record<string, ReactNode> = {
  visa: (
    <>
      {field('#20419a')}
      {letters(visa)}
    </>
  ),
  mastercard: (
    <>
      {field('#fff')}
      <circle cx="14" cy="12" r="7" fill="#e4372f" />
      <circle cx="22" cy="12" r="7" fill="#f5a623" />
      <path d="M18 6.3a7 7 0 010 11.4 7 7 0 010-11.4z" fill="#f0702a" />
    </>
  ),
  amex: (
    <>
      {field('#2671b9')}
      {letters(amex, 1.7)}
    </>
  ),
  discover: (
    <>
      {field('#fff')}
      <path d="M36 14v6a4 4 0 01-4 4H14c9-1 17-4.5 22-10z" fill="#ee7d2b" />
      <circle cx="22.5" cy="10.5" r="4.5" fill="#ee7d2b" />
      <path
        d="M10 6.5h2.5a4 4 0 010 8H10z"
        fill="none"
        stroke="#2b2f36"
        strokeWidth="2"
        strokeLinejoin="round"
      />
    </>
  ),
  diners: (
    <>
      {field('#fff')}
      <circle cx="18" cy="12" r="8" fill="#2a62a8" />
      <path d="M16.6 6.4a5.8 5.8 0 000 11.2zM19.4 6.4a5.8 5.8 0 010 11.2z" fill="#fff" />
    </>
  ),
  jcb: (
    <>
      {field('#fff')}
      <rect x="5" y="4" width="7.4" height="16" rx="2" fill="#2563b0" />
      <rect x="14.3" y="4" width="7.4" height="16" rx="2" fill="#cc2f3f" />
      <rect x="23.6" y="4" width="7.4" height="16" rx="2" fill="#2f8f46" />
      {letters(jcb, 1.3)}
    </>
  ),
  unionpay: (
    <>
      {field('#fff')}
      <path d="M9 4h8l-3.6 16h-8z" fill="#d3303a" />
      <path d="M17 4h7l-3.6 16h-7z" fill="#1f4f8f" />
      <path d="M24 4h7l-3.6 16h-7z" fill="#12807f" />
    </>
  ),
}

const neutral = (
  <g fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round">
    <path d="M1 9h34M6 16h6" />
  </g>
)

type CardMarkProps = { brand: string | undefined; className?: string }

/** The mark of a card's brand. Screen readers skip it, because the brand's name is beside it. */
export function CardMark({ brand = '', className = 'w-8' }: CardMarkProps) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 36 24"
      className={classes('inline-block shrink-0 text-faint', className)}
    >
      {marks[brand] ?? neutral}
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
