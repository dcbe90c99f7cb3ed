import type { MessageKey } from '#locales/keys.ts'
import type { ReactNode } from 'react'
import { useT } from '../platform/i18n.ts'
import { Card } from './card.tsx'
import { classes } from './classes.ts'
import { PageTitle } from './page-title.tsx'

type FormPageProps = {
  title: MessageKey
  intro?: MessageKey | undefined
  /** Makes the page wide enough for a column beside the fields. */
  wide?: boolean
  /** Cards between the title and the form. */
  above?: ReactNode
  /** Cards after the form. */
  below?: ReactNode
  children: ReactNode
}

export function FormPage({ title, intro, wide = false, above, below, children }: FormPageProps) {
  const t = useT()
  return (
    <div className={classes('grid max-w-form grid-cols-1 gap-5', wide && 'lg:max-w-232')}>
      <PageTitle title={t(title)} intro={intro && t(intro)} />
      {above}
      <Card>{children}</Card>
      {below}
    </div>
  )
}

export function FormSection({ title, children }: { title: MessageKey; children: ReactNode }) {
  const t = useT()
  return (
    <fieldset className="min-w-0">
      <legend className="mb-4 text-card">{t(title)}</legend>
      <div className="grid gap-4">{children}</div>
    </fieldset>
  )
}
