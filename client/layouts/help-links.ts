import { product } from '#config/product.ts'
import { LifeBuoy, Mail, ScrollText, ShieldCheck } from 'lucide-react'

const { helpUrl, supportEmail, termsUrl, privacyUrl } = product

const all = [
  { key: 'help', label: 'frame.help', icon: LifeBuoy, href: helpUrl },
  {
    key: 'support',
    label: 'frame.support',
    icon: Mail,
    href: supportEmail && `mailto:${supportEmail}`,
  },
  { key: 'terms', label: 'frame.terms', icon: ScrollText, href: termsUrl },
  { key: 'privacy', label: 'frame.privacy', icon: ShieldCheck, href: privacyUrl },
] as const

/** Where to find help, and what the user has agreed to: what config/product.ts has. */
export const helpLinks = all.flatMap(({ href, ...link }) => (href ? [{ ...link, href }] : []))
