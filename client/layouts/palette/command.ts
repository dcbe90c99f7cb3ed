import type { LucideIcon } from 'lucide-react'

export type Command = {
  id: string
  label: string
  /** Says more about it than its name does. */
  hint?: string
  icon: LucideIcon
  /** Shown only to those who look for it. */
  isRare?: boolean
  run: () => unknown
}
