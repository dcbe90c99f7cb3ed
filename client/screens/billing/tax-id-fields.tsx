import type { TaxId } from '#contract/entities.ts'
import { taxIdName, taxIdTypes, type TaxIdType } from '#contract/tax-ids.ts'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import type { Check } from '../../components/field-errors.ts'
import { SelectField, TextField, textOf } from '../../components/fields.tsx'
import { useLanguage, useT } from '../../platform/i18n.ts'

type TaxIdFieldsProps = { prefix?: string; known: TaxId | null; country: string }

/** The fields for a tax ID. The types usual in the country come first, one of them preselected. */
export function TaxIdFields({ prefix = '', known, country }: TaxIdFieldsProps) {
  const t = useT()
  const language = useLanguage()
  const [chosen, setChosen] = useState(known?.type)
  const usual = usualTaxIds(country)
  const others = taxIdTypes.filter((type) => !usual.includes(type))
  const countryName = new Intl.DisplayNames(language, { type: 'region' }).of(country) ?? country
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField
        name={`${prefix}tax_id.type`}
        label="billing.details.taxIdType"
        value={chosen ?? usual[0] ?? ''}
        onChange={({ target }) => setChosen(target.value as TaxIdType)}
      >
        {usual.length === 0 && !chosen && (
          <option value="">{t('billing.details.taxIdChoose')}</option>
        )}
        {usual.length > 0 && (
          <Options label={t('billing.details.taxIdOf', { country: countryName })} types={usual} />
        )}
        <Options label={t('billing.details.taxIdOthers')} types={others} />
      </SelectField>
      <TextField
        name={`${prefix}tax_id.value`}
        label="billing.details.taxId"
        hint="billing.details.taxIdHint"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        defaultValue={known?.value}
        maxLength={40}
      />
    </div>
  )
}

function Options({ label, types }: { label: string; types: readonly TaxIdType[] }) {
  return (
    <optgroup label={label}>
      {types.map((type) => (
        <option key={type} value={type}>
          {taxIdName(type)}
        </option>
      ))}
    </optgroup>
  )
}

const european = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
)

/** The types that are usual in a country, the most usual first. */
function usualTaxIds(country: string): TaxIdType[] {
  const own = taxIdTypes.filter((type) => type.startsWith(`${country.toLowerCase()}_`))
  return european.has(country) ? ['eu_vat', ...own] : own
}

/** A button that shows the tax ID fields, because few payers have a tax ID. */
export function AddTaxId({ prefix, known, country }: Required<TaxIdFieldsProps>) {
  const t = useT()
  const [isOpen, setOpen] = useState(false)
  if (known) return <TaxIdFields {...{ prefix, known, country }} />
  if (!isOpen)
    return (
      <Button icon={<Plus />} onClick={() => setOpen(true)} className="justify-self-start">
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

/** The typed tax ID, or null if the field is empty. */
export function taxIdOf(values: FormData, prefix = ''): TaxId | null {
  const value = textOf(values, `${prefix}tax_id.value`).trim()
  return value ? { type: textOf(values, `${prefix}tax_id.type`) as TaxIdType, value } : null
}

export function untypedTaxId(values: FormData, prefix = ''): ReturnType<Check> {
  const type = `${prefix}tax_id.type`
  return taxIdOf(values, prefix) && !textOf(values, type) ? { [type]: 'forms.required' } : undefined
}
