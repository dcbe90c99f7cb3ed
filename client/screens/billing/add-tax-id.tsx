import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { useT } from '../../i18n.ts'
import { TaxIdFields } from './tax-id-fields.tsx'

/** Few payers have one to give, so its fields come when they are asked for. */
export function AddTaxId({ prefix, country }: { prefix: string; country: string }) {
  const t = useT()
  const [isOpen, setOpen] = useState(false)
  if (!isOpen)
    return (
      <Button
        icon={<Plus aria-hidden />}
        onClick={() => setOpen(true)}
        className="justify-self-start"
      >
        {t('billing.details.addTaxId')}
      </Button>
    )
  return (
    <div ref={focusFirst}>
      <TaxIdFields prefix={prefix} known={null} country={country} />
    </div>
  )
}

function focusFirst(fields: HTMLElement | null) {
  fields?.querySelector('select')?.focus()
}
