import type { ReactNode } from 'react'
import { TextLink } from '../../components/button.tsx'

/** The link in the head of a card, as high as a finger needs. */
export function CardLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <TextLink to={to} className="-my-1 py-3 text-small print:hidden">
      {children}
    </TextLink>
  )
}
